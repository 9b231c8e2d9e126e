//! Every command in README.md works.
//!
//! A fenced block that opens with `sh` is run, all of them one after the other in one empty folder,
//! with this build's `groma` first in `PATH` and no display. A block that opens with `sh not-run`
//! (it installs, builds, opens a window or needs a camera) is read instead: every make target and
//! every option of `groma` in it must exist.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One fenced block of shell commands.
struct Block {
    line: usize,
    run: bool,
    text: String,
}

/// The shell blocks of a Markdown text; what marks a block as neither run nor read is a fault.
fn shell_blocks(markdown: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut open: Option<(Option<Block>, String)> = None;
    for (at, line) in markdown.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => {
                let words: Vec<_> = info.split_whitespace().collect();
                let block = match words[..] {
                    ["sh"] => Some(Block { line: at + 1, run: true, text: String::new() }),
                    ["sh", "not-run"] => Some(Block { line: at + 1, run: false, text: String::new() }),
                    ["sh" | "bash" | "console" | "shell", ..] | [] => {
                        return Err(format!(
                            "README.md:{}: open a block with `sh`, `sh not-run` or the language it is in, not `{info}`",
                            at + 1
                        ));
                    }
                    _ => None,
                };
                open = Some((block, info.to_owned()));
            }
            (Some(_), Some("")) => {
                if let Some((Some(block), _)) = open.take() {
                    blocks.push(block);
                }
                open = None;
            }
            (Some((Some(block), _)), _) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            _ => {}
        }
    }
    Ok(blocks)
}

/// The commands of a block: lines joined at a trailing backslash, without comments.
fn commands(block: &str) -> Vec<Vec<String>> {
    block
        .replace("\\\n", " ")
        .lines()
        .map(|line| line.split(" #").next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What is wrong with a command that is read and not run.
fn fault_of_unrun(words: &[String]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", target, ..] => {
            let makefile = fs::read_to_string(root().join("Makefile")).expect("a readable Makefile");
            let rule = format!("{target}:");
            (!makefile.lines().any(|line| line.starts_with(&rule)))
                .then(|| format!("the Makefile has no target `{target}`"))
        }
        ["groma", ..] => {
            // With the commands and arguments before its first option, clap shows that command's own help.
            let named: Vec<&str> =
                words[1..].iter().take_while(|word| !word.starts_with('-')).copied().collect();
            let help = Command::new(env!("CARGO_BIN_EXE_groma"))
                .args(&named)
                .arg("--help")
                .output()
                .expect("groma starts");
            let text = String::from_utf8_lossy(&help.stdout);
            let spoken = format!("groma {}", named.join(" "));
            if !help.status.success() {
                return Some(format!("there is no `{spoken}`"));
            }
            let options = words.iter().filter(|word| word.starts_with("--"));
            options
                .map(|word| word.split('=').next().unwrap_or(word))
                .find(|option| {
                    !text.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == *option)
                })
                .map(|option| format!("`{spoken} --help` has no {option}"))
        }
        _ => None,
    }
}

#[test]
fn every_command_in_the_readme_works() {
    let markdown = fs::read_to_string(root().join("README.md")).expect("README.md is there");
    let blocks = shell_blocks(&markdown).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(blocks.iter().any(|block| block.run), "README.md has no block that is run");

    let bin = Path::new(env!("CARGO_BIN_EXE_groma")).parent().expect("the program lies in a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let folder = tempfile::tempdir().expect("a temporary folder");
    for block in blocks {
        if block.run {
            let done = Command::new("bash")
                .args(["-euo", "pipefail", "-c", &block.text])
                .current_dir(&folder)
                .env("PATH", &path)
                .env_remove("DISPLAY")
                .env_remove("WAYLAND_DISPLAY")
                .output()
                .expect("bash starts");
            assert!(
                done.status.success(),
                "README.md:{}: {}\n{}\nstdout:\n{}\nstderr:\n{}",
                block.line,
                done.status,
                block.text,
                String::from_utf8_lossy(&done.stdout),
                String::from_utf8_lossy(&done.stderr)
            );
        } else {
            for words in commands(&block.text) {
                if let Some(fault) = fault_of_unrun(&words) {
                    panic!("README.md:{}: {fault}", block.line);
                }
            }
        }
    }
}

#[test]
fn blocks_are_sorted_by_their_mark_and_unmarked_ones_refused() {
    let blocks =
        shell_blocks("a\n```sh\ngroma \\\n  x # y\n```\n```text\nno\n```\n```sh not-run\nmake z\n```\n");
    let blocks = blocks.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(blocks.iter().map(|b| (b.line, b.run)).collect::<Vec<_>>(), [(2, true), (9, false)]);
    assert_eq!(commands(&blocks[0].text), [["groma", "x"]]);
    assert!(shell_blocks("```console\n$ groma\n```\n").is_err());
    assert!(shell_blocks("```\nplain\n```\n").is_err());
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(fault_of_unrun(&words("make no-such-target")).is_some());
    assert!(fault_of_unrun(&words("groma no-such-command")).is_some());
    assert!(fault_of_unrun(&words("groma --no-such-option")).is_some());
    assert!(fault_of_unrun(&words("make test")).is_none());
}
