#!/usr/bin/env bash
# Runs every test there is but the virtual camera (`make test-camera`), the quick ones first, and
# ends with the summary lines of cargo's own test runner.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# summary: every runner's closing line again, then their sum.
summary() {
    echo
    grep '^test result:' "$log" || true
    awk '/^test result:/ { for (i = 1; i <= NF; i++) {
             if ($(i + 1) == "passed;") passed += $i
             if ($(i + 1) == "failed;") failed += $i
             if ($(i + 1) == "ignored;") skipped += $i } }
         END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
               exit failed > 0 || passed == 0 }' "$log"
}

# tests TEXT COMMAND...: runs one test runner and keeps its output; a failure ends the script.
tests() {
    step "$1"
    shift
    echo "$*"
    if ! "$@" 2>&1 | tee -a "$log"; then
        step "Failed: $*"
        summary || true
        exit 1
    fi
}

need_tool cargo "get Rust 1.95 or later, see README.md"

step "Format (cargo fmt)"
cargo fmt --check

step "System packages"
scripts/packages.sh build test

tests "The rules without any C library: tests of --no-default-features" \
    cargo test --locked --no-fail-fast --no-default-features

step "Clippy without features, warnings denied"
cargo clippy --locked --no-default-features --all-targets -- -D warnings

step "Clippy with every feature, warnings denied. The first time the OpenCV bindings are made, some minutes"
cargo clippy --locked --release --all-targets -- -D warnings

tests "Everything with every feature: units, scenes, window, README's commands, documentation" \
    cargo test --locked --no-fail-fast --release

step "All done. The runners' summaries:"
summary
