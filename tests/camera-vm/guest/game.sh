# A game that goes on while its cameras do what cameras do, sourced by checks.sh: followed by `groma keep`, its journal
# replayed at the end. What is checked is waited for until it is told, never for a time.

game=/tmp/game.journal
# The machine's own camera is in port 0, "Fake webcam"; another model is in port 1.
cameras() { grep -l "$1" /sys/class/video4linux/*/name 2> /dev/null | head -n 1; }
there() { [ -n "$(cameras "$1")" ]; }
not_there() { [ -z "$(cameras "$1")" ]; }

# until_ SECONDS COMMAND...: waits until a command succeeds, at most so long.
until_() {
    i=$(($1 * 5))
    shift
    while ! "$@" && [ $i -gt 0 ]; do
        sleep 0.2
        i=$((i - 1))
    done
    "$@"
}
tells() { grep -qiE "$1" /tmp/game.out /tmp/game.err; }
# How often something was told.
told_times() { [ "$(cat /tmp/game.out /tmp/game.err | grep -ciE "$1")" -ge "$2" ]; }
goes_on() { kill -0 $keeper 2> /dev/null; }

# ---- two cameras on one table
echo "show 0-start" >&3
echo "plug both" >&3
check "two: the first is there" until_ 20 there "Fake webcam"
echo "plug both 1" >&3
check "two: the second is there" until_ 20 there "Other webcam"
run "two cameras" 400 groma read "camera:Fake webcam" --second "camera:Other webcam" --frames 10 --json \
    --table /scene/table.ron --roster /scene/roster.ron
check "two: exit code 0" exits 0
keep two
echo "unplug 1" >&3
check "two: the second is gone" until_ 20 not_there "Other webcam"

# ---- a game begins
groma keep --journal $game --source "camera:Fake webcam" --table /scene/table.ron --roster /scene/roster.ron \
    > /tmp/game.out 2> /tmp/game.err &
keeper=$!
check "game: the table is found" until_ 120 tells "table is found, with 6 bases"
echo "show 60" >&3
sleep 6

# ---- pictures that are cut off or marked bad, in the middle of it
echo "cut 5" >&3
echo "bad 5" >&3
sleep 2
check "game: damaged pictures do not end it" goes_on

# ---- the cable is out, and back in at another index, and somebody moved meanwhile
before=$(cameras "Fake webcam")
echo unplug >&3
check "game: it says that the camera is away and waited for" until_ 60 tells "camera.*goes on by itself"
check "game: it goes on without the camera" goes_on
check "game: the device is gone" until_ 20 not_there "Fake webcam"
echo "plug both 1" >&3
check "game: another camera takes its place" until_ 20 there "Other webcam"
echo "show 120" >&3
echo "plug both" >&3
check "game: the camera is plugged in again" until_ 20 there "Fake webcam"
echo "=== it was $before and is $(cameras "Fake webcam")"
check "game: at another index" [ "$before" != "$(cameras "Fake webcam")" ]
check "game: it finds its camera again" until_ 120 tells "camera is back"
check "game: the move before is written down" until_ 60 tells "move: .*Triarii"

# ---- it falls silent, and wakes
echo stall >&3
check "game: a silent camera is told" until_ 60 tells "silent"
check "game: it goes on without a picture" goes_on
echo "show 180" >&3
echo resume >&3
check "game: it sees again" until_ 120 told_times "camera is back" 2
check "game: the move that was made while it was away is written down" until_ 60 tells "move: .*Gauls"
kill -9 $keeper
wait $keeper 2> /dev/null
sed 's/^/  out: /' /tmp/game.out | cut -c 1-200
sed 's/^/  err: /' /tmp/game.err

# ---- what was kept
run "replay" 200 groma replay $game
check "game: its journal is replayed without a difference" exits 0
run "report" 200 groma report $game --out /tmp/game.html
check "game: there is a report" exits 0
echo "unplug 1" >&3
echo unplug >&3
