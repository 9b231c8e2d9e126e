#!/usr/bin/env bash
# A real webcam as far as Linux can tell, on a machine that has none. Boots Debian's stock kernel in
# QEMU (software emulation, no KVM), where `uvcvideo` binds to a USB webcam made in user space, and reads
# it with this build of `groma`: guest/checks.sh has the checks, the poses are compared here.
#
# Nothing is installed: packages are fetched and unpacked under target/camera-vm. Takes minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
source scripts/lib.sh

cache=${CARGO_TARGET_DIR:-$PWD/target}/camera-vm
mkdir -p "$cache"/{debs,tree,kernel}
cache=$(cd "$cache" && pwd)
lib=usr/lib/x86_64-linux-gnu

[ "$(uname -m)" = x86_64 ] || die "the virtual machine is x86_64, this machine is $(uname -m)"
need_tool cargo "get Rust 1.95 or later, see README.md"
need_tool apt-get "the virtual machine is made of Debian's packages; there is no other way yet"

step "System packages for building"
scripts/packages.sh build

step "The virtual machine's packages"
if [ ! -e "$cache/fetched" ]; then
    wanted=$(packages_of camera-vm)
    echo "Will fetch, and not install: $(echo "$wanted" | xargs) and what they need"
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update --quiet=2
    kernel=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-[0-9]/ { print $2; exit }')
    programs=$(echo "$wanted" | grep -v '^linux-image')
    # What a simulated installation would bring, so that QEMU finds the libraries this machine lacks;
    # and its own parts, whether or not they are installed here.
    # shellcheck disable=SC2086
    missing=$(apt-get install --simulate --no-install-recommends $programs | awk '/^Inst/ { print $2 }')
    own=$(apt-cache depends qemu-system-x86 | awk '/Depends: (qemu-system|seabios)/ { print $2 }')
    # shellcheck disable=SC2086
    names=$(printf '%s\n' $missing $programs $own "$kernel" | sort -u)
    # shellcheck disable=SC2086
    (cd "$cache/debs" && apt-get download --quiet=2 $names 2> >(grep -v unsandboxed >&2))
    echo "${kernel#linux-image-}" > "$cache/fetched"
fi
echo "Kernel $(cat "$cache/fetched"), $(du -sh "$cache/debs" | cut -f1) in $(find "$cache/debs" -name '*.deb' | wc -l) packages"

if [ ! -e "$cache/unpacked" ]; then
    step "Unpacking them"
    for deb in "$cache"/debs/*.deb; do
        case $deb in
            */linux-image-*) # the kernel and the few modules wanted: all of it is 400 MB
                drivers='*/drivers'
                dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$cache/kernel" --wildcards './boot/vmlinuz-*' \
                    "$drivers/media/mc/*" "$drivers/media/v4l2-core/*" "$drivers/media/common/videobuf2/*" \
                    "$drivers/media/usb/uvc/*" "$drivers/usb/common/*" "$drivers/usb/core/*" \
                    "$drivers/usb/usbip/*"
                ;;
            *) dpkg --extract "$deb" "$cache/tree" ;;
        esac
    done
    touch "$cache/unpacked"
fi

step "Building groma, and the helpers"
cargo build --locked --release
CARGO_TARGET_DIR=$cache/tools cargo build --locked --quiet --release --manifest-path "$here/tools/Cargo.toml"
groma=${CARGO_TARGET_DIR:-target}/release/groma
tools=$cache/tools/release

step "Drawing what the webcam shows: eight frames of the small table, 640x480, and four of it after each of three moves"
scene=$cache/scene
rm -rf "$scene"
mkdir -p "$scene"
for frame in 0 1 2 3 4 5 6 7; do
    mkdir "$scene/$frame"
    "$groma" sim --table "$here/scene/table.ron" --roster "$here/scene/roster.ron" --seed 7 --size 640x480 \
        --frame "$frame" --out "$scene/$frame/table.png" --truth "$scene/$frame/truth.json"
    cmp "$scene/0/truth.json" "$scene/$frame/truth.json" || die "something moves in frame $frame"
done
"$tools/pictures" "$scene/pictures/0-start/640x480" 640x480 "$scene"/[0-7]/table.png
# The simulated hands have moved one base more by each of these frames, and rest.
for frame in 60 120 180; do
    for later in 0 1 2 3; do
        mkdir -p "$scene/$frame/$later"
        "$groma" sim --table "$here/scene/table.ron" --roster "$here/scene/roster.ron" --seed 7 --size 640x480 \
            --frame $((frame + later)) --out "$scene/$frame/$later/table.png" \
            --truth "$scene/$frame/$later/truth.json"
        cmp "$scene/$frame/0/truth.json" "$scene/$frame/$later/truth.json" || die "something moves after frame $frame"
    done
    "$tools/pictures" "$scene/pictures/$frame/640x480" 640x480 "$scene/$frame"/[0-3]/table.png
done

step "Packing the virtual machine's disk"
disk=$cache/disk
rm -rf "$disk"
mkdir -p "$disk"/{bin,modules,proc,sys,dev,tmp,scene}
cp "$cache/tree/bin/busybox" "$disk/bin/"
cp "$here/guest/init" "$here/guest/checks.sh" "$here/guest/game.sh" "$disk/"
find "$cache/kernel" -name '*.ko' -exec cp {} "$disk/modules/" \;
cp "$here/scene/table.ron" "$here/scene/roster.ron" "$disk/scene/"
cp -r "$scene/pictures" "$disk/"
cp "$groma" "$tools/fakecam" "$disk/bin/"
strip "$disk/bin/groma" "$disk/bin/fakecam"
ldd "$groma" "$tools/fakecam" | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do
    mkdir -p "$disk$(dirname "$library")"
    cp --dereference "$library" "$disk$library"
done
vmlinux=$cache/vmlinux
if [ ! -e "$vmlinux" ]; then
    # Debian's kernel file unpacks itself, which takes 8 s in emulation. QEMU boots what is inside.
    packed=$(echo "$cache"/kernel/boot/vmlinuz-*)
    starts=$(LC_ALL=C grep --text --byte-offset --only-matching --perl-regexp '\xfd7zXZ\x00' "$packed" | cut --fields=1 --delimiter=: || true)
    at=${starts%%$'\n'*}
    [ -n "$at" ] || die "$packed holds no xz-packed kernel"
    LD_LIBRARY_PATH=$cache/tree/$lib "$cache/tree/usr/bin/xz" --decompress --stdout --single-stream \
        < <(tail --bytes=+$((at + 1)) "$packed") > "$vmlinux.part"
    mv "$vmlinux.part" "$vmlinux"
fi
(cd "$disk" && find . | "$disk/bin/busybox" cpio -o -H newc 2>/dev/null) > "$cache/initramfs"
echo "$(du -h "$cache/initramfs" | cut -f1) with the libraries that groma links"

step "Booting it; at most ${LIMIT:=1800} s"
# Nehalem: with newer processors the kernel's own crypto tests can hang in emulation.
LD_LIBRARY_PATH=$cache/tree/$lib:$cache/tree/lib/x86_64-linux-gnu \
    timeout "$LIMIT" "$cache/tree/usr/bin/qemu-system-x86_64" \
    -L "$cache/tree/usr/share/qemu" -L "$cache/tree/usr/share/seabios" \
    -accel tcg,thread=multi -machine q35 -cpu Nehalem -smp 2 -m 2048 -nodefaults -no-user-config \
    -display none -serial stdio -no-reboot -kernel "$vmlinux" -initrd "$cache/initramfs" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check cryptomgr.notests" \
    < /dev/null 2>&1 | tr -d '\r' | tee "$cache/log" || true

step "What the virtual machine found"
checks=$cache/checks
grep '^CHECK' "$cache/log" > "$checks" || true
grep --quiet '^GUEST-END' "$cache/log" || echo "CHECK FAIL: the virtual machine did not come to its end" >> "$checks"
"$tools/compare" "$scene/0/truth.json" "$cache/log" 1.0 yuyv mjpeg both two >> "$checks" || true
cat "$checks"
passed=$(grep --count '^CHECK PASS' "$checks" || true)
failed=$(grep --count '^CHECK FAIL' "$checks" || true)
echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
