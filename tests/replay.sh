#!/bin/sh
# Replays that need smpirun (Debian: libsimgrid-dev); without it the script says so and exits 77.
#
#   replay.sh STRATA by-hand        simulated times that can be computed by hand
#   replay.sh STRATA interrupted    an interruption leaves no file and no process behind
#   replay.sh STRATA allocator      SimGrid runs on jemalloc, where it is installed
set -eu
. "$(dirname "$0")/functions.sh"

strata=$1 what=$2
platform=$(dirname "$0")/tools/two_links.xml
if ! command -v smpirun >/dev/null; then
    echo "smpirun is not installed: nothing was replayed" >&2
    exit 77
fi

# takes TIME ARGUMENT...: the simulated time, in microseconds.
takes() {
    expected=$1
    shift
    "$strata" replay "$@" --platform "$platform" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "replay $*"; return; }
    got=$(sed -n 's/^  simulated time *\([0-9.]*\) us$/\1/p' "$folder/said")
    [ "$got" = "$expected" ] || { cat "$folder/said"; fail "expected $expected us"; }
}

by_hand() {
    temporary_folder
    # Over two links of 1 us and 1 GB/s: 2 us + 1000 us; SMPI adds 16 bytes to each message.
    takes 1002.016 bcast --algo binomial --ranks 2 --ranks-per-node 1 --bytes 1000000
    # Over the loopback of 0.5 us and 4 GB/s.
    takes 250.504 bcast --algo binomial --ranks 2 --bytes 1000000
    # 1 us of that as a copy at each member, and a signal of 0.5 us: copy in, arrive, copy out.
    # A block is 500 B and 10 ns a piece: in 0.51 us, out 2 blocks 1.02 us.
    takes 2.034 allgather --algo node_allgather:tree=1 --ranks 2 --bytes 500
    # Three copies of 1.01 us, of the own block, in and out, and a message of 2 us + 1.016 us. A call
    # that blocks sends a head of 24 B with it, 16 B of which cost a copy of 0.026 us.
    takes 6.046 alltoallv --algo sloav:radix=2 --ranks 2 --ranks-per-node 1 --bytes 1000 --form persistent
    takes 6.096 alltoallv --algo sloav:radix=2 --ranks 2 --ranks-per-node 1 --bytes 1000
    # Two rounds of two messages at 2 us, of a byte each and the 16 of SMPI.
    takes 4.034 barrier --algo dissemination:radix=2 --ranks 4 --ranks-per-node 1
    return $failed
}

# The folder has the process's number in its name.
interrupted() {
    "$strata" replay alltoall --algo pairwise --ranks 160 --ranks-per-node 4 --bytes 100000 \
        --platform "$platform" >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 300); do
        [ -e "$(echo /tmp/strata-replay-"$pid"-*/output)" ] && break
        sleep 0.1
    done
    folder=$(echo /tmp/strata-replay-"$pid"-*)
    [ -e "$folder/output" ] || { echo "the replay did not begin" >&2; return 1; }
    kill -TERM "$pid"
    code=0
    wait "$pid" || code=$?
    if [ "$code" -ne 143 ]; then
        echo "expected the exit code of SIGTERM, 143, got $code" >&2
        return 1
    fi
    if [ -e "$folder" ]; then
        echo "$folder is left" >&2
        return 1
    fi
    for _ in $(seq 50); do # smpirun hands the signal on
        users=$(grep -l "$folder/list" /proc/[0-9]*/cmdline 2>/dev/null || true)
        [ -z "$users" ] && return 0
        sleep 0.1
    done
    echo "still running: $users" >&2
    return 1
}

allocator() {
    temporary_folder
    needs_jemalloc || return 77
    smpirun_that_tells_of_jemalloc
    takes 4.034 barrier --algo dissemination:radix=2 --ranks 4 --ranks-per-node 1
    on_jemalloc 1
    export LD_PRELOAD=libm.so.6 # what is preloaded already stays
    takes 4.034 barrier --algo dissemination:radix=2 --ranks 4 --ranks-per-node 1
    on_jemalloc 1
    return $failed
}

case $what in
by-hand) by_hand ;;
allocator) allocator ;;
interrupted) interrupted ;;
*) echo "usage: $0 STRATA by-hand | interrupted | allocator" >&2; exit 2 ;;
esac
