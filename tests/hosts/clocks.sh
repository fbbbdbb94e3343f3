#!/bin/sh
# Four hosts whose clocks are seconds apart: a rank that comes late is named right, and the clocks agree within the error
# that is told, while the job stands and when it has ended.
#   clocks.sh STRATA RECORDER PROGRAM LIBRARY AGREE HOSTS...     HOSTS starts a program on all hosts
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 recorder=$2 program=$3 library=$4 agree=$5
shift 5
"$(dirname "$0")/hosts.sh" check || exit
temporary_folder
mkdir "$folder/files"
cd "$folder"
apart=$(realpath "$(dirname "$0")/apart.sh")

# Another clock than the machine's.
later=$(CLOCK_AHEAD=86400 LD_PRELOAD=$library date +%s)
[ "$later" -gt $(($(date +%s) + 86000)) ] || fail "the clock is not ahead"

# The late rank is on a host whose clock is five seconds ahead, then an hour behind.
for rank in 1 3; do
    expect 0 "^all right" "$@" -- "$apart" "$library" "$strata" run --record=keep:"$folder/files" -- "$program" kept $rank 20 $rank 100000
    expect 0 "the clocks of 4 hosts agree within [0-9.]+ [um]s$" "$strata" rollcall files --late
    grep -A 1 "for whom they waited:$" said | grep -qE "^ .* %  rank $rank on host[23]," || {
        cat said
        fail "rank $rank is not the latest"
    }
    expect 0 "^4 clocks, set 2 times: at most " "$agree" 4 2 files
    cat said
    "$strata" rollcall files --timeline trace.json || fail "no timeline"
    expect 0 '"clocks": "the clocks of 4 hosts agree within ' cat trace.json
    rm files/*
done

# In a job that stands still the clocks were set once.
"$@" -- "$apart" "$library" "$strata" run --record="$folder/files" -- "$program" missing 1 20 1 >told 2>&1 &
job=$!
at_exit 'kill $job 2>/dev/null || true; wait $job 2>/dev/null || true; rm -rf "$folder"'
for try in $(seq 50); do
    "$strata" rollcall files --after 1 >said 2>&1 || true
    ! grep -qE "which stands still for [1-9][.0-9]* s" said || break
    sleep 0.2
done
expect 1 "^job [0-9a-f]+: 5 of 5 ranks of .* on 4 hosts, which stands still for [1-9][.0-9]* s" "$strata" rollcall files --after 1
expect 1 "rank 1 on host2 missing in call [0-9]+ of MPI_COMM_WORLD" "$strata" rollcall files --after 1
expect 1 "the clocks of 4 hosts agreed within [0-9.]+ [um]s when the job began$" "$strata" rollcall files --after 1 --late
expect 0 "^4 clocks, set 1 times: at most " "$agree" 4 1 files
cat said
kill "$job"
wait "$job" || true
rm -f files/*

# Ranks without a file set the clocks with the others.
expect 0 "^all right" "$@" -- "$apart" "$library" sh -c 'case $(hostname) in host[14]) STRATA_RECORD=0 ;; *) STRATA_RECORD=$0 ;; esac
    export STRATA_RECORD && LD_PRELOAD=$1:${LD_PRELOAD:-} && export LD_PRELOAD && shift && exec "$@"' \
    "keep:$folder/files" "$recorder" "$program" none 0 20 3
expect 0 "^2 clocks, set 2 times: at most " "$agree" 2 2 files
exit $failed
