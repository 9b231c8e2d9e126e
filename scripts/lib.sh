# shellcheck shell=bash
# Sourced by the other scripts: steps that say what they are and when they began.

groma_started=$SECONDS

# step TEXT...: announces a step, with the seconds since the script began.
step() {
    printf '\n==> [%4d s] %s\n' "$((SECONDS - groma_started))" "$*"
}

# die TEXT...: ends the script with a message.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# need_tool PROGRAM ADVICE: ends the script when a program is not there.
need_tool() {
    command -v "$1" >/dev/null 2>&1 || die "\`$1\` is not installed: $2"
}

# packages_of GROUP: that group's packages in packages/debian.txt, one a line.
packages_of() {
    sed 's/#.*//' packages/debian.txt | awk -v group="$1" '$1 == group { print $2 }'
}
