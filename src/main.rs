//! The `groma` program: hands over to the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    groma::cli::run()
}
