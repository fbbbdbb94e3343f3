#!/bin/sh
# The network that `strata tune machine` measures is the one that there is, and programs choose by its file.
#   hosts.sh run --ranks 1,1 --mpi none --bandwidth 200mbit -- tune.sh MPIEXEC STRATA
# A byte takes 40 ns at least. A crowded machine takes longer for everything, and no time is too short. There a longer
# message may seem to take no more time, and its parameter is left out, or hardly more: 30 ns a byte were measured beside
# another test. So no other test runs beside this one, and one of three measurements has to hold.
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
holds() {
    awk -v name="$1" "\$1 == name { there = 1; x = \$3; wrong = !($2) } END { exit wrong || !there }" "$folder/machine" || {
        echo "measurement $try: $1: not $2" >&2
        held=no
    }
}
for try in 1 2 3; do
    held=yes
    "$1" -n 2 "$2" tune machine --seconds 0.2 --out "$folder/machine"
    cat "$folder/machine"
    holds beta "x > 35e-9 && x < 800e-9"
    holds overhead "x > 0.1e-6 && x < 100e-3"
    holds eager "x == 0 || x > 256"
    holds host '$3 == "host1" && $4 == "host2"'
    overlaps=$(awk '/^# messages of 8 B of one rank/ { on = 1; n = 1; next }
                    on && $2 == n && $3 > 0 { n *= 2; next }
                    on { print n, $2; exit }' "$folder/machine")
    [ "$overlaps" = "128 more" ] || fail "messages under way at once: $overlaps"
    [ $held = no ] || break
done
[ $held = yes ] || fail "no measurement holds"
STRATA_MACHINE=$folder/machine "$1" -n 2 "$2" info | grep "^prices on .*, of the file $folder/machine" || fail "info"
# Without a file the messages between hosts are measured in each program, unless a description is named. A crowded
# machine may have no time for enough of them.
measured="^prices on [a-z]*, measured when it was attached"
for try in 1 2 3 4 5 6 7 8; do
    "$1" -n 2 "$2" info >"$folder/said"
    beta=$(sed -n 's/^  alpha=.*,beta=\([0-9.e-]*\),.*/\1/p' "$folder/said")
    held=$(awk "BEGIN { print ($beta > 20e-9 && $beta < 800e-9) }")
    [ "$held" -eq 0 ] || break
done
grep "$measured" "$folder/said" && [ "$held" -eq 1 ] || fail "measured while it was attached: $beta s a byte"
STRATA_MACHINE=cluster "$1" -n 2 "$2" info | grep "$measured" && fail "measured beside a description"
"$1" -n 2 "$2" tune machine --seconds 60 --out "$folder/none/machine" >"$folder/said" 2>&1 && fail "no such folder"
grep "cannot write \"$folder/none/machine\": No such file" "$folder/said" || fail "the error"
# While it measures there is no file that could be left behind.
"$1" -n 2 "$2" tune machine --seconds 0.2 --out "$folder/late" >/dev/null 2>&1 &
late=$!
while kill -0 $late 2>/dev/null; do
    [ "$(echo "$folder"/late*)" = "$folder/late*" ] || [ -f "$folder/late" ] || fail "a file too early: $(ls "$folder")"
    sleep 0.1
done
wait $late && rm "$folder/late" || fail "a later measurement"
left=$(cd "$folder" && echo *)
[ "$left" = "machine said" ] || fail "left behind: $left"
exit $failed
