#!/bin/sh
# A stand-in for the strata command that a study runs: `strata simulate COLLECTIVE|is_sort ... --csv` in no time, with
# times from simple formulas. So the tests of the runner need no simulator.
#
# STAND_IN_SLEEP=SECONDS  each point takes that long      STAND_IN_LOG=FILE  one line for each call
# STAND_IN_FAIL=WORD      fails where an argument is WORD
set -eu
[ "${1:-}" = simulate ] || exit 2
what=$2
shift 2
ranks=64 node=16 bytes=8 methods=auto mapping=sequential pattern=uniform
all=$*
while [ $# -gt 0 ]; do
    case $1 in
    --ranks) ranks=$2 ;;
    --ranks-per-node) node=$2 ;;
    --bytes) bytes=$2 ;;
    --methods) methods=$2 ;;
    --mapping) mapping=$2 ;;
    --pattern) pattern=$2 ;;
    --csv) set -- x "$@" ;;
    esac
    shift 2
done
[ -z "${STAND_IN_LOG:-}" ] || echo "$what $all pid=$$" >>"$STAND_IN_LOG"
case " $all " in *" ${STAND_IN_FAIL:-none} "*) echo "stand-in: told to fail" >&2; exit 3 ;; esac
sleep "${STAND_IN_SLEEP:-0}"
# A part without a colon that sets a parameter belongs to the method before.
echo "$methods" | sed 's/,\([^:,=]*=\)/;\1/g' | tr ',' '\n' | tr ';' ',' | awk -v what="$what" -v P="$ranks" -v m="$node" -v b="$bytes" -v map="$mapping" -v pattern="$pattern" '
    function log2(x) { return log(x) / log(2) }
    BEGIN { N = P / m; print "collective,method,pattern,bytes,nodes,ranks,mapping,seconds,messages_between,bytes_between" }
    {
        messages = P * (P - m); volume = messages * b / 2
        if ($0 ~ /^leaders/ || $0 == "auto" || $0 == "strata") { messages = N * log2(N); volume *= log2(N) / 2; t = log2(N) * 3e-6 + P * m * 1e-8 + P * b * 1e-9 }
        else if ($0 ~ /^sloav/) { messages = P * log2(P); volume *= log2(P) / 2; t = log2(P) * 8e-6 + P * b * 4e-9 * log2(P) }
        else t = P * 2e-6 + P * b * 1e-9
        quote = $0 ~ /,/ ? "\"" : ""
        printf "%s,%s%s%s,%s,%d,%d,%d,%s,%.9g,%d,%d\n", what, quote, $0, quote, pattern, b, N, P, map, t, messages, volume
    }'
