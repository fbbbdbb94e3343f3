#!/bin/sh
# Programs with a fault, recorded: `strata rollcall` must name the rank, the call and its site.
#   rollcall.sh STRATA PROGRAM SOURCE SEEDS FAULTS LAUNCHER...     SEEDS and FAULTS are lists of words
# The program draws its ranks' right calls by a seed; the launcher is told the ranks by -n.
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 program=$2 source=$3 seeds=$4 faults=$5
shift 5
temporary_folder
mkdir "$folder/files"

# tree PID: it and all that it has started
tree() {
    echo "$1"
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        tree "$child"
    done
}

# Ends the job: the ranks first, which may be stopped.
end() {
    started=$(tree "$job" | sort -rn)
    # shellcheck disable=SC2086 # numbers
    kill -KILL $started 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    rm -f "$folder/files"/*
}

line() { grep -n "/\* line of $1 \*/" "$source" | cut -d : -f 1; }

# What must be said of the fault of rank $2, of $3 ranks.
patterns() {
    site=$(basename "$source"):$(line "$1")
    case $1 in
    watched) echo "wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce of 4 B, MPI_INT, MPI_SUM, in which " ;;
    missing | late) echo "$(patterns watched "$2" "$3")@^  ranks? .*: in call [0-9]+ of MPI_COMM_WORLD, allreduce of 4 B, MPI_INT, MPI_SUM, at [^,]*, by [A-Za-z]" ;;
    loop) echo "^  rank $2: running outside collectives, behind call@wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce" ;;
    stopped) echo "wrong: rank $2 is stopped@wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce" ;;
    killed) echo "^  rank $2: gone outside collectives@wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce" ;;
    finalize) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the collectives differ: .*MPI_Finalize on rank $2 at $site" ;;
    collective) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the collectives differ: .*barrier on rank $2 at $site" ;;
    root) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the roots differ: .*root 1 on rank $2 at $site" ;;
    operator) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the operators differ: .*MPI_MAX on rank $2 at $site" ;;
    type) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the datatypes differ: .*MPI_FLOAT on rank $2 at $site" ;;
    count) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the sizes differ: .*8 B on rank $2 at $site" ;;
    wait) echo "in a wait for call [0-9]+ of MPI_COMM_WORLD, iallreduce of 4 B, MPI_INT, MPI_SUM, at $site.*, begun at @wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, iallreduce of 4 B" ;;
    test) echo "in a loop of tests of call [0-9]+ of MPI_COMM_WORLD, ibarrier, at $site@wrong: rank $2 missing in call [0-9]+ of MPI_COMM_WORLD, ibarrier, in which " ;;
    started) echo "wrong: rank $2 missing in (start|call) [0-9]+ of (request [0-9]+ of )?MPI_COMM_WORLD, i?allreduce of 4 B, .*, in which .* waits?$" ;;
    mixed) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the collectives differ: .*, barrier on rank $2 at $site|: barrier on rank $2 at $site" ;;
    lengths) echo "wrong: in call [0-9]+ of MPI_COMM_WORLD the sizes differ: .*8 B on rank $2 at" ;;
    neighbors) echo "wrong: in call [0-9]+ of communicator 4 of $3 ranks the collectives differ: .*neighbor_alltoall on rank $2 at $site" ;;
    crossed) echo "^  rank $2: in a wait for call [0-9]+ of communicator 3 of $3 ranks, ibarrier, at $site@wrong: ranks 0-$(($3 - 1)) wait for each other" ;;
    order) echo "^  rank $2: in call [0-9]+ of communicator 3 of $3 ranks, barrier, at $site@wrong: ranks 0-$(($3 - 1)) wait for each other" ;;
    esac
}

# Asks until everything is said. A job counts as standing still after half a second.
ask() {
    all=$1
    for try in $(seq 50); do
        code=0
        "$strata" rollcall "$folder/files" --after 0.5 >said 2>&1 || code=$?
        missing=
        IFS=@
        for pattern in $all; do
            grep -qE -e "$pattern" said || missing=$pattern
        done
        unset IFS
        [ -n "$missing" ] || [ "$code" -ne 1 ] || return 0
        sleep 0.2
    done
    cat said
    fail "not said: $missing"
}

# said_times NUMBER: waits until the job itself has said so often that rank $rank is missing.
said_times() {
    for try in $(seq 100); do
        times=$(grep -cE "$(patterns watched "$rank" "$ranks")" told) || true
        [ "$times" -ne "$1" ] || return 0
        sleep 0.05
    done
    cat told
    fail "$times and not $1 roll calls"
}

# A job that calls the roll after a second, and once more when any rank gets SIGUSR1, which MPICH keeps for itself.
watched() {
    said_times 1
    ! ldd "$program" | grep -q mpich || return 0
    for process in $(tree "$job"); do
        if [ "$process" -ne "$job" ] && grep -q "^preload_record" "/proc/$process/comm"; then
            kill -USR1 "$process"
            break
        fi
    done
    said_times 2
}

# The job as a timeline: the ranks that wait do so to its end, in a call that another event has begun.
timeline() {
    "$strata" rollcall "$folder/files" --timeline trace.json || fail "no timeline"
    command -v python3 >/dev/null || { echo "without python3 nothing reads the timeline"; return; }
    python3 - "$ranks" "$rank" "$(basename "$source"):$(line wait)" <<'EOF' || fail "the timeline"
import json, sys
ranks, missing, site = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
events = json.load(open("trace.json"))["traceEvents"]
named = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert named == {r: "rank %d" % r for r in range(ranks)}, named
waits = [e for e in events if e["name"] == "wait" and not e["args"]["ended"]]
assert {e["tid"] for e in waits} == set(range(ranks)) - {missing}, waits
assert all(e["args"]["served by"] == "MPI's own" for e in waits), waits
assert all(e["ph"] == "X" and "iallreduce of 4 B" in e["args"]["call"] and site in e["args"]["site"] for e in waits), waits
begun = {e["id"]: e for e in events if e["ph"] == "b"}
ended = {e["id"]: e for e in events if e["ph"] == "e"}
assert begun.keys() == ended.keys() and all(ended[i]["ts"] >= begun[i]["ts"] >= 0 for i in begun)
end = max(e["ts"] + e.get("dur", 0) for e in events if "ts" in e)
assert all(abs(w["ts"] + w["dur"] - end) < 1 for w in waits), (end, waits)
assert any(not e["args"]["ended"] and e["tid"] == waits[0]["tid"] for e in begun.values())
EOF
}

# The first row of those for whom others waited must have the rank and its site.
late() {
    ask "$(patterns late "$rank" "$ranks")"
    "$strata" rollcall "$folder/files" --late >said || true
    grep -A 1 "for whom they waited:$" said | grep -qE "^ .* %  rank $rank on .*: allreduce at $(basename "$source"):$(line late)" || {
        cat said
        fail "rank $rank is not the latest"
    }
}

cd "$folder"
for fault in $faults; do
    for seed in $seeds; do
        ranks=$((2 + seed % ${MOST_RANKS:-3}))
        rank=$((seed * 7 % ranks))
        if [ "$fault" = none ]; then
            expect 0 '^all right' "$@" -n "$ranks" "$strata" run --record="$folder/files" -- "$program" none 0 300 "$seed"
            [ -z "$(ls files)" ] || fail "files are left: $(ls files)"
            continue
        fi
        own='--set rollcall=0' kind=$fault
        [ "$fault" != watched ] || own='--set rollcall=1' kind=missing
        # shellcheck disable=SC2086 # two words
        "$@" -n "$ranks" "$strata" run --record="$folder/files" $own -- "$program" $kind "$rank" $((seed % 50)) "$seed" >told 2>&1 &
        job=$!
        case $fault in
        watched | late) $fault ;;
        *) ask "$(patterns "$fault" "$rank" "$ranks")" ;;
        esac
        [ "$fault" != wait ] || timeline
        end
        [ "$failed" -eq 0 ] || exit 1
    done
done
exit $failed
