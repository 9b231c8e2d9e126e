#!/usr/bin/env bash
# Builds Groma and shows the demo: in the window, or off-screen when there is no display.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    groups=(build window)
else
    groups=(build)
fi

step "System packages"
scripts/packages.sh "${groups[@]}"

step "Building Groma (release). The first time takes many minutes: the OpenCV bindings are made from its headers"
need_tool cargo "get Rust 1.95 or later, see README.md"
cargo build --locked --release

if [ ${#groups[@]} -eq 2 ]; then
    step "Opening the window on the simulated table. Close the window to end"
    cargo run --quiet --locked --release -- demo
else
    out=target/demo
    rm -rf "$out"
    step "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): the same demo off-screen, into $out"
    cargo run --quiet --locked --release -- demo --headless --out "$out"
    step "Done. The window's pictures and the rulings (JSON lines) are in $PWD/$out:"
    ls -l "$out"
fi
