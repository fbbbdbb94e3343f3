#!/bin/sh
# Each host records into a folder that the other one does not see, and their clocks are seconds apart. The processes
# beside the ranks tell each other: the job itself, `strata rollcall` on either host, STRATA_CHECK and --report speak of
# all ranks.
#   hosts.sh run --ranks 2,1 --mpi none -- own_folders.sh MPIEXEC STRATA PROGRAM LIBRARY     LIBRARY is clock_ahead.c, made
set -eu
. "$(dirname "$0")/../functions.sh"
mpiexec=$1 strata=$2 program=$3 library=$4
here=$(realpath "$(dirname "$0")")
TMPDIR=/tmp # which all hosts see; MPICH starts ranks in the folder where its mpirun is
temporary_folder
cd "$folder"
missing="wrong: rank 2 on host2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce of 4 B, MPI_INT, MPI_SUM, in which ranks 0-1 on host1 wait"
job=
apart="$here/apart.sh $library"

# on HOST WORD...: what it says there
on() {
    host=$1
    shift
    "$here/launch.sh" "$host" "$apart" "$@"
}

# recorded FAULT: starts a job whose rank 2 has the fault.
recorded() {
    "$mpiexec" -n 3 $apart "$strata" run --record --set rollcall=1 -- "$program" "$1" 2 20 1 >told 2>&1 &
    job=$!
}
at_exit 'kill $job 2>/dev/null || true; wait $job 2>/dev/null || true; rm -rf "$folder"'

# told NUMBER: until the job itself has said so often what is wrong.
told() {
    for try in $(seq 100); do
        times=$(grep -cE "$missing" told) || true
        [ "$times" -ne "$1" ] || return 0
        sleep 0.1
    done
    cat told
    fail "$times and not $1 roll calls"
}

# running HOST PROGRAM: a process that runs it there
running() {
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/exe")" = "$2" ] && [ "$(readlink "$process/ns/uts")" = "$("$here/launch.sh" "$1" readlink /proc/self/ns/uts)" ]; then
            echo "${process#/proc/}"
            return
        fi
    done
}

program=$(realpath "$program") strata=$(realpath "$strata")
recorded missing
told 1
grep -qE "^job [0-9a-f]+: 3 of 3 ranks of .* on 2 hosts, which stands still" told || { cat told; fail "not all ranks"; }
for host in host1 host2; do
    expect 1 "$missing" on $host "$strata" rollcall --after 0.3
    expect 1 "^job [0-9a-f]+: 3 of 3 ranks of .* on 2 hosts, which stands still" on $host "$strata" rollcall --after 0.3
    expect 0 '"name": "host2"' on $host sh -c "'\"$strata\" rollcall --timeline /dev/shm/trace.json; cat /dev/shm/trace.json'"
done
expect 1 "for whom they waited:" "$strata" rollcall --after 0.3 --late
expect 1 "$missing" "$strata" rollcall "$(running host1 "$program")" --after 0.3
expect 1 "$missing" "$strata" rollcall "$job" --after 0.3
if ! ldd "$program" | grep -q mpich; then # which keeps the signal for itself
    kill -USR1 "$(running host2 "$program")"
    told 2
fi
rank=$(running host2 "$program")
kill -STOP "$rank"
until grep -q '^State:.T' "/proc/$rank/status"; do # a busy host stops it later
    sleep 0.01
done
expect 1 "^  wrong: rank 2 on host2 is stopped" "$strata" rollcall --after 0.3
kill -CONT "$rank"

# Who does not know the second word is told the first one, and does no harm.
socket=$(readlink /proc/"$(running host1 "$strata")"/fd/* | sed -n 's/^socket:.\([0-9]*\).$/\1/p' | head -n 1)
port=$(awk -v inode="$socket" '$4 == "0A" && $10 == inode { split($2, parts, ":"); print parts[2] }' /proc/net/tcp)
[ -n "$port" ] || fail "no process listens"
# shellcheck disable=SC2016 # the inner shell's
bash -c 'exec 3<>"/dev/tcp/localhost/$1" && printf "nonsense, and as long as is expected" >&3 && cat <&3' bash "$((0x$port))" >greeting 2>/dev/null || true
[ "$(wc -c <greeting)" -eq 8 ] || fail "a stranger was told $(wc -c <greeting) bytes"
expect 1 "$missing" "$strata" rollcall --after 0.3

# A host that is not heard any more: what it sent is old, and nobody is called missing by it.
kill -9 "$(running host2 "$strata")"
expect 1 "^  wrong: rank 2 on host2 is not heard any more, and shown as last heard" "$strata" rollcall --after 0.3
expect 1 "^job [0-9a-f]+: 3 of 3 ranks of .* on 2 hosts, which stands still" "$strata" rollcall --after 0.3
! grep -q missing said || { cat said; fail "a rank is called missing by what is old"; }
kill "$job"
wait "$job" || true
for try in $(seq 100); do # ranks may end after their mpiexec
    [ -n "$(running host1 "$program")$(running host2 "$program")" ] || break
    sleep 0.1
done

# Ranks whose files nobody removed, as these were ended.
expect 1 "which has ended" "$strata" rollcall --remove
expect 0 "which has ended" on host2 "$strata" rollcall --remove
expect 0 "^strata: wrong: in call [0-9]+ of MPI_COMM_WORLD the datatypes differ: .*MPI_FLOAT on rank 2 on host2 at " \
    "$mpiexec" -n 3 $apart "$strata" run --set check=1 --force allreduce=native --record -- "$program" checked 2 20 1
expect 0 "^strata:  .* %  rank 2 on host2, last in [0-9]+ of [0-9]+ calls: allreduce at recorded.c:" \
    "$mpiexec" -n 3 $apart "$strata" run --report --record -- "$program" kept 2 20 1
for host in host1 host2; do
    expect 0 "^0$" "$here/launch.sh" $host "ls /dev/shm | grep -c strata.record || true"
done

# The processes beside the ranks end with them.
for try in $(seq 50); do
    left=$(ps -e -o comm= | grep -c "^strata") || true
    [ "$left" -ne 0 ] || break
    sleep 0.1
done
[ "$left" -eq 0 ] || fail "$left processes are left"
exit $failed
