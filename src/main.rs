//! The `groma` program: hands over to the command line.

/// What keeps FFmpeg and GStreamer from writing of their own to stderr, where nothing else was
/// asked for. What goes wrong in them is told by Groma.
const QUIET: [(&str, &str); 2] = [("OPENCV_FFMPEG_LOGLEVEL", "-8"), ("GST_DEBUG", "0")];

/// Threads share one heap of the C library, where it would give each its own. Pictures come from one thread and are let
/// go in another: in heaps of their own, hours of demo mode grew from 470 to 650 MB, in one they stay at 420.
fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: no other thread runs yet, and a number that it does not know is refused.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

fn main() {
    share_one_heap();
    for (name, value) in QUIET {
        if std::env::var_os(name).is_none() {
            // SAFETY: no other thread runs yet that could read the environment.
            unsafe { std::env::set_var(name, value) };
        }
    }
    groma::cli::leave(groma::cli::run())
}
