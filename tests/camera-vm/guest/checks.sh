# The checks, sourced by init inside the virtual machine. Each prints CHECK PASS or CHECK FAIL.

# load MODULE...: inserts kernel modules in the order given, dependencies first.
load() {
    for module in "$@"; do
        insmod "/modules/$module.ko" || echo "CHECK FAIL: cannot load $module"
    done
}

# check NAME CONDITION...: says whether a command succeeds.
check() {
    name=$1
    shift
    if "$@"; then echo "CHECK PASS: $name"; else echo "CHECK FAIL: $name"; fi
}

# run TITLE SECONDS COMMAND...: runs a command for at most so many seconds, keeps its exit code in
# $code (143 when it was stopped) and its output in /tmp/out and /tmp/err, and shows what it began with.
run() {
    echo "=== $1: $3 $4 $5 $6"
    limit=$2
    shift 2
    code=0
    timeout "$limit" "$@" > /tmp/out 2> /tmp/err || code=$?
    head -n 3 /tmp/out | cut -c 1-150 | sed 's/^/  out: /'
    sed 's/^/  err: /' /tmp/err
    echo "  exit code $code after $(cut -d' ' -f1 /proc/uptime) s of uptime"
}
exits() { [ "$code" = "$1" ]; }
says() { grep -qiE "$1" /tmp/err; }
prints() { grep -qE "$1" /tmp/out; }

# Waits for a device node to come, or to go, at most 20 s.
wait_for() { i=0; while [ ! -e "$1" ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done; [ -e "$1" ]; }
wait_gone() { i=0; while [ -e "$1" ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done; [ ! -e "$1" ]; }

# keep NAME: prints the lines of the last command between marks, for the host to compare.
keep() {
    echo "BEGIN $1"
    cat /tmp/out
    echo "END $1"
}

read_camera() {
    run "$1" "$2" groma read camera:0 --frames "$3" --json --table /scene/table.ron --roster /scene/roster.ron
}

load mc videodev videobuf2-common videobuf2-memops videobuf2-vmalloc videobuf2-v4l2
load usb-common usbcore usbip-core vhci-hcd uvcvideo
mkfifo /tmp/camera
# Its own words are kept for the end: on the console they would break into the readings.
fakecam /pictures < /tmp/camera > /tmp/fakecam 2>&1 &
exec 3> /tmp/camera

# ---- no camera
run "no camera: cameras" 60 groma cameras
check "cameras without one: exit code 1" exits 1
check "cameras without one: says so" says 'no camera'
read_camera "no camera: read" 60 10
check "read without a camera: exit code 1" exits 1
check "read without a camera: says so" says 'no camera|camera 0'

# ---- a camera in each format alone, so that it is the one that is read
for format in yuyv mjpeg; do
    echo "plug $format" >&3
    check "$format: the driver makes /dev/video0" wait_for /dev/video0
    run "$format: cameras" 60 groma cameras
    check "$format: it is listed" prints 'Fake webcam'
    check "$format: what can be locked is told" prints 'exposure, focus and white balance can be locked'
    read_camera "$format: read" 400 10
    check "$format: exit code 0" exits 0
    keep "$format"
    echo unplug >&3
    check "$format: unplugged" wait_gone /dev/video0
done

# ---- both formats at once; damaged pictures on the way are no failure
echo "plug both" >&3
check "both: the driver makes /dev/video0" wait_for /dev/video0
echo "cut 2" >&3
echo "bad 2" >&3
read_camera "both, with damaged pictures" 400 10
check "both: exit code 0" exits 0
keep both

# ---- its automatics settle, are locked through the real driver, and are on again afterwards
run "locks" 400 env GROMA_LOG=info groma read camera:0 --frames 40 --json --table /scene/table.ron --roster /scene/roster.ron
check "locks: exit code 0" exits 0
check "locks: all three are locked" says 'exposure, focus and white balance locked'
run "after locks: cameras" 60 groma cameras
check "after locks: the automatics are on again" prints 'exposure, focus and white balance can be locked'
run "auto" 400 env GROMA_LOG=info groma read camera:0,auto --frames 3 --json --table /scene/table.ron --roster /scene/roster.ron
check "auto: they are left, and that is told" says 'exposure, focus and white balance left to the camera, as asked'

# ---- busy: another program holds the camera
groma read camera:0 --frames 100000 --json --table /scene/table.ron --roster /scene/roster.ron > /tmp/held 2>&1 &
holder=$!
i=0
while ! grep -q '^{' /tmp/held && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
read_camera "busy" 60 10
check "busy: exit code 1" exits 1
check "busy: says so" says 'busy|in use|another program'

# ---- it is pulled out while it is read
(sleep 1; echo unplug >&3) &
i=0
while kill -0 $holder 2> /dev/null && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
if kill -0 $holder 2> /dev/null; then gone=no; kill -9 $holder; else gone=yes; fi
wait $holder
code=$?
tail -n 3 /tmp/held | sed 's/^/  held: /'
check "unplugged while reading: the program ends" [ $gone = yes ]
check "unplugged while reading: exit code 1" exits 1

# ---- it is silent: plugged in, and sends nothing
check "unplugged" wait_gone /dev/video0
echo "plug both" >&3
check "silent: the driver makes /dev/video0" wait_for /dev/video0
echo stall >&3
read_camera "silent" 60 10
check "silent: exit code 1" exits 1
check "silent: says so" says 'silent|no picture|sends nothing|no frame'
echo unplug >&3
check "silent: unplugged" wait_gone /dev/video0
. /game.sh
echo quit >&3
sleep 1
sed 's/^/  /' /tmp/fakecam
