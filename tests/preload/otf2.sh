#!/bin/sh
# A recorded job as an archive of OTF2, which otf2-print must read without a warning.
#   otf2.sh STRATA PROGRAM LAUNCHER...     PROGRAM is preload_recorded; the launcher is told the ranks by -n
# Skipped without the library of OTF2, or without otf2-print.
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 program=$2
shift 2
ranks=2 late=60
temporary_folder
cd "$folder"
mkdir files

expect 0 "^all right" "$@" -n "$ranks" "$strata" run --force allreduce=node_allreduce --record=keep:"$folder/files" \
    -- "$program" kept 1 20 4
if ! "$strata" rollcall files --otf2 archive 2>said; then
    cat said
    ! grep -q "built without OTF2" said || exit 77
    fail "no archive"
fi
command -v otf2-print >/dev/null || { echo "skipped: without otf2-print nothing reads the archive"; exit 77; }
otf2-print -A archive/traces.otf2 >events 2>warnings || fail "otf2-print fails"
[ ! -s warnings ] || { cat warnings; fail "otf2-print warns"; }
! grep -q INVALID events || fail "something is not defined"

# count PATTERN: the events that have it.
count() { grep -cE "$1" events || true; }
[ "$(count "^ENTER")" -eq "$(count "^LEAVE")" ] || fail "not all that begin end"
[ "$(count '^ENTER .*Region: "MPI_Finalize"')" -eq "$ranks" ] || fail "not all ranks end"
for rank in $(seq 0 $((ranks - 1))); do
    sums=$(count "^MPI_COLLECTIVE_END +$rank +[0-9]+ +Operation: ALLREDUCE, Communicator: \"MPI_COMM_WORLD\" <[0-9]+>, Root: NONE, Sent: 4, Received: 4")
    [ "$sums" -ge $late ] || fail "rank $rank has $sums sums"
done
line=$(grep -n "line of late" "$(dirname "$0")/recorded.c" | cut -d: -f1)
[ "$(count "\"site\" .*recorded\.c:$line \(come_late\).*\"served by\" .*\"node_allreduce")" -ge 1 ] || fail "no site, or not what served it"
grep -qE "^COMM .*\"MPI_COMM_WORLD\"" events || fail "no communicator"
awk '/^(ENTER|LEAVE) / { if ($3 < last[$2]) exit 1; last[$2] = $3 }' events || fail "time goes back"

# Of one rank's file no collective is whole, so no page is written, and a file of that name stays as it was.
mkdir one && cp -p "$(find files -type f | head -n 1)" one && echo old >page.svg
expect 1 "page.svg is not written" "$strata" rollcall one --page page.svg
grep -q old page.svg || fail "the file of that name is gone"
expect 1 "is there already" "$strata" rollcall files --otf2 archive
rm -r archive/traces
expect 1 "traces.otf2 is there already" "$strata" rollcall files --otf2 archive
exit $failed
