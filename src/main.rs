//! The `groma` program: hands over to the command line.

/// What keeps FFmpeg and GStreamer from writing of their own to stderr, where nothing else was
/// asked for. What goes wrong in them is told by Groma.
const QUIET: [(&str, &str); 2] = [("OPENCV_FFMPEG_LOGLEVEL", "-8"), ("GST_DEBUG", "0")];

fn main() {
    for (name, value) in QUIET {
        if std::env::var_os(name).is_none() {
            // SAFETY: no other thread runs yet that could read the environment.
            unsafe { std::env::set_var(name, value) };
        }
    }
    groma::cli::leave(groma::cli::run())
}
