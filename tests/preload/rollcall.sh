#!/bin/sh
# Programs with a fault, recorded: `strata rollcall` must name the rank, the call and its site.
#   rollcall.sh STRATA PROGRAM SOURCES SEEDS FAULTS LAUNCHER...     SOURCES, SEEDS and FAULTS are lists of words
# The program draws its ranks' right calls by a seed; the launcher is told the ranks by -n.
#   MOST_RANKS=N  2 to N + 1 ranks; 4 where it is not set
#   WAYS=LIST     how the program runs, in turn by the seed: plans, which is the default; nodes, which is plans over two
#                 emulated nodes; direct, with the recorder and without Strata
#   HOSTS=1       the launcher is tests/hosts/hosts.sh, which is told the ranks of two hosts
#   SITES=none    where the sites are those of a library
#   QUIET_CALLS=N calls of each job without a fault, at which is looked meanwhile (the fault "quiet"); 5000 by default
#   TALLY=FILE    a fault that is not named is counted: the file gets a line "FAULT VERDICT SECONDS". The verdict is named,
#                 unnamed, or wrong, where a rank, a call or a site is named that is not the fault's. So long the job had
#                 stood still; 0 where it did not
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 program=$2 sources=$3 seeds=$4 faults=$5
shift 5
job=
temporary_folder
at_exit '[ -z "$job" ] || end; rm -rf "$folder"'
mkdir "$folder/files"
recorder=$(echo "$(dirname "$strata")"/libstrata_record_*.so)

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
    job=
    rm -f "$folder/files"/*
}

# site NAME: the file and the line of the program that are called so; one of several.
site() {
    # shellcheck disable=SC2086 # a list
    grep -nHE "[/!][*]? line of $1( |\$)" $sources | sed -E 's|^([^:]*/)?([^:/]*:[0-9]+):.*|\2|' |
        paste -sd '|' | sed 's/.*|.*/(&)/'
}
of_messages="recv waitall cycle any tested beside matched buffered parts exchange across unsent"
is_of_messages() { case " $of_messages " in *" $1 "*) true ;; *) false ;; esac }

# What must be said of the site; anything, where it is one in a library.
site_of() {
    case ${SITES:-},$sources in
    none,*) echo ".*" ;;
    *.f90) is_of_messages "$1" && echo ".*" || site "$1" ;;
    *) site "$1" ;;
    esac
}

# What must be said of the fault of rank $2, of $3 ranks.
patterns() {
    site=$(site_of "$1") r="rank $2${HOSTS:+ on host[12]}" world="[0-9]+ of MPI_COMM_WORLD" int="MPI_INT(EGER)?"
    sum="allreduce of 4 B, $int, MPI_SUM" all="ranks 0-$(($3 - 1))"
    next=$((($2 + 1) % $3)) last=$((($2 + $3 - 1) % $3)) far=$(($3 - 1 - ($3 - 1 + $2 + 1) % 2))
    on="on MPI_COMM_WORLD, at $site"
    other="communicator [34] of $3 ranks" # by the order in which they were first called on
    served="@^  ranks? .*: in call $world, $sum, at .*, by [A-Za-z]" runs="running "
    [ "$way" != direct ] || served=
    [ -z "${HOSTS:-}" ] || runs= # of another host that is not known
    case $1 in
    watched) echo "wrong: $r missing in call $world, $sum, in which " ;;
    missing | late) echo "$(patterns watched "$2" "$3")$served" ;;
    loop) echo "^  $r: ${runs}outside collectives, behind @wrong: $r missing in call $world, allreduce" ;;
    stopped) echo "wrong: $r is stopped@wrong: $r missing in call $world, allreduce" ;;
    killed) echo "^  $r: gone outside collectives@wrong: $r missing in call $world, allreduce" ;;
    finalize) echo "wrong: in call $world the collectives differ: .*MPI_Finalize on $r at $site" ;;
    collective) echo "wrong: in call $world the collectives differ: .*barrier on $r at $site" ;;
    root) echo "wrong: in call $world the roots differ: .*root 1 on $r at $site" ;;
    operator) echo "wrong: in call $world the operators differ: .*MPI_MAX on $r at $site" ;;
    type) echo "wrong: in call $world the datatypes differ: .*MPI_(FLOAT|REAL) on $r at $site" ;;
    count) echo "wrong: in call $world the sizes differ: .*8 B on $r at $site" ;;
    wait) echo "in a wait for call $world, i$sum, at $site.*, begun at @wrong: $r missing in call $world, iallreduce of 4 B" ;;
    test) echo "in a loop of tests of call $world, ibarrier, at $site@wrong: $r missing in call $world, ibarrier, in which " ;;
    started) echo "wrong: $r missing in (start|call) [0-9]+ of (request [0-9]+ of )?MPI_COMM_WORLD, i?allreduce of 4 B, .*, in which .* waits?$" ;;
    mixed) echo "wrong: in call $world the collectives differ: .*, barrier on $r at $site|: barrier on $r at $site" ;;
    lengths) echo "wrong: in call $world the sizes differ: .*8 B on $r at" ;;
    neighbors) echo "wrong: in call [0-9]+ of $other the collectives differ: .*neighbor_alltoall on $r at $site" ;;
    crossed) echo "^  $r: in a wait for call [0-9]+ of $other, ibarrier, at $site@wrong: $all.* wait for each other" ;;
    recv) echo "wrong: $r waits in recv of 4 B, $int, from rank $next, tag 7, $on.*; rank $next is in call $world, $sum, .*, and waits there for it$" ;;
    waitall) echo "^  $r: in a wait for irecv of 4 B, MPI_INT, from rank $last, tag 9, $on.*, begun at @wrong: $r waits in irecv of .*, tag 9, $on.*; rank $last is in call $world, $sum, " ;;
    cycle) echo "wrong: $all wait for each other: rank 0 in ssend of 4 B, MPI_INT, to rank 1, tag 5, $on.*; rank 1 in ssend of " ;;
    any) echo "^  $r: in a wait for any of several, the first of them irecv of 4 B, MPI_INT, from rank $next, tag 8, $on@wrong: $r missing in call $world, $sum" ;;
    tested) echo "^  $r: in a loop of tests of irecv of 4 B, MPI_INT, from rank $next, tag 9, $on@wrong: $r waits in irecv of 4 B, MPI_INT, from rank $next, tag 9" ;;
    beside) echo "^  $r: .*outside collectives, behind @wrong: $r missing in call $world, $sum" ;;
    matched) echo "^  $r: .*outside collectives, behind mrecv of 4 B, $int, from rank $last, tag 8, $on@wrong: $r missing in call $world, $sum" ;;
    buffered) echo "^  $r: .*outside collectives, behind bsend of 4 B, $int, to rank $next, tag 8, $on@wrong: $r missing in call $world, $sum" ;;
    parts) echo "wrong: $r waits in p?recv of 8 B, MPI_INT, from rank $next, tag 9, $on.*; rank $next is in call $world, $sum, " ;;
    exchange) echo "wrong: $r waits in i?sendrecv_replace, MPI_INT, from rank $next, tag 9, to rank $last, tag 8, $on.*; rank $next is in call $world, $sum, " ;;
    across) echo "wrong: $r waits in recv of 4 B, MPI_INT, from rank $far, tag 7, on a communicator of $3 ranks, at $site.*; rank $far is in call $world, $sum, " ;;
    unsent) echo "wrong: ranks? [-, 0-9]+ waits? in probe, from rank $2, tag 3, $on.*; $r is sleeping outside collectives, " ;;
    order) echo "^  $r: in call [0-9]+ of $other, barrier, at $site@wrong: $all.* wait for each other" ;;
    communicator) echo "^  $r: in call [0-9]+ of $other, $sum, at $site@wrong: $all.* wait for each other" ;;
    esac
}

# misled FAULT: what is called wrong and is not the fault's. What follows from it is: the rank is missing in a later call.
misled() {
    case $1 in
    order | crossed | communicator | cycle) also="wait for each other" ;;
    finalize) also="left no file" ;;
    killed) also="(is|are) gone|left no file" ;; # the launcher ends the others
    quiet) also="left no file" ;; # while the job starts
    any | beside | matched | buffered) also="rank $rank is" ;;
    *) also="rank $rank is|rank $rank waits in" ;;
    esac
    grep "^  wrong: " said | grep -vE "rank $rank( on host[12])? (missing in|is gone|is stopped)|differ: .* on rank $rank( |\$)|$also"
}

# Asks until everything is said. A job counts as standing still after half a second. Sets missing, which is what was not
# said in 100 times.
ask() {
    all=$1
    for try in $(seq 100); do
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
    missing=${missing:-exit code $code}
}

# The seconds that the job had stood still.
stood() {
    awk '/^job .* which stands still for / { unit["us"] = 1e-6; unit["ms"] = 1e-3; unit["s"] = 1
        seconds = $(NF - 1) * unit[$NF] } END { print seconds + 0 }' said
}

# judge FAULT: asks, and fails or counts.
judge() {
    ask "$(patterns "$1" "$rank" "$ranks")"
    verdict=named
    if [ -n "$missing" ]; then
        verdict=unnamed
    elif misled "$1"; then
        verdict=wrong missing="only the fault"
    fi
    [ -z "${TALLY:-}" ] || echo "$1 $verdict $(stood)" >>"$TALLY"
    [ "$verdict" = named ] && return
    { echo "$1 of rank $rank of $ranks, seed $seed, $way: $verdict" && cat said told; } >&2
    [ -n "${TALLY:-}" ] || fail "not said: $missing"
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
    for process in $(tree "$job"); do
        if [ "$process" -ne "$job" ] && grep -q "^preload_record" "/proc/$process/comm"; then
            # by the standard ABI one program runs with each MPI
            ! grep -q 'lib[^/]*mpich' "/proc/$process/maps" || return 0
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
    python3 - "$ranks" "$rank" "$(site wait)" <<'EOF' || fail "the timeline"
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
    judge late
    "$strata" rollcall "$folder/files" --late >said || true
    grep -A 1 "for whom they waited:$" said | grep -qE "^ .* %  rank $rank on .*: allreduce at $(site late)" || {
        cat said
        fail "rank $rank is not the latest"
    }
}

# The page of the job: XML, on which the rank is the last one of a call in which others waited longest. Where cores are
# crowded they may wait for another rank in some of these five.
page() {
    "$strata" rollcall "$folder/files" --page page.svg || fail "no page"
    command -v python3 >/dev/null || { echo "without python3 nothing reads the page"; return; }
    python3 - "$ranks" "$rank" "$(site late)" <<'EOF' || fail "the page"
import sys, xml.dom.minidom
ranks, late, site = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
picture = xml.dom.minidom.parse("page.svg").documentElement
texts = [(t.getAttribute("class"), t.firstChild.data if t.firstChild else "") for t in picture.getElementsByTagName("text")]
calls = [i for i, (kind, text) in enumerate(texts) if kind == "call"]
assert len(calls) == 10, calls
longest = [texts[calls[i]:calls[i + 1]] for i in range(5)]
told = [call for call in longest if "allreduce of 4 B" in call[0][1] and site in call[1][1]]
assert told, longest
rows = [[(kind, text) for kind, text in call if kind in ("", "last")] for call in told]
assert [("last" if r == late else "", "rank %d" % r) for r in range(ranks)] in rows, rows
bars = [r for r in picture.getElementsByTagName("rect") if r.getAttribute("class") == "waited"]
assert max(float(b.getAttribute("width")) for b in bars) > 100, "no rank waits"
EOF
}

# kept WORD...: a job that ends well says at its end who was late, and with keep its files tell that afterwards, too.
kept() {
    row="%  rank $rank on .*, last in [0-9]+ of [0-9]+ calls: allreduce at $(site late)"
    advice="advice: (rank $rank is late |the calls themselves take |ranks are late in turn)" # where cores are crowded
    set -- "$@" -n "$ranks" "$strata" run --report
    expect 0 "^strata:  .* $row" "$@" --record="$folder/files" -- "$program" kept "$rank" 20 "$seed"
    grep -qE "^strata: allreduce " said || fail "no report"
    grep -qE "^strata: $advice" said || { cat said; fail "no advice"; }
    [ -z "$(ls files)" ] || fail "files are left: $(ls files)"
    expect 0 "^strata:  .* $row" "$@" --record=keep:"$folder/files" -- "$program" kept "$rank" 20 "$seed"
    expect 0 " $row" "$strata" rollcall "$folder/files" --late
    grep -qE "^  $advice" said || { cat said; fail "no advice afterwards"; }
    page
    grep -qE "^job [0-9a-f]+: $ranks of $ranks ranks of .*, which has ended well$" said || { cat said; fail "not ended well"; }
    grep -qE "^  ranks 0-$((ranks - 1)): ended well, behind MPI_Finalize, at recorded\.c:" said || { cat said; fail "no end"; }
    "$strata" rollcall "$folder/files" --timeline trace.json || fail "no timeline"
    ! grep -q '"ended": false' trace.json || fail "a call of the timeline has no end"
    [ "$(grep -c '"name": "MPI_Finalize"' trace.json)" -eq "$ranks" ] || fail "not all ends are in the timeline"
    expect 0 "which has ended well" "$strata" rollcall "$folder/files" --remove
    [ -z "$(ls files)" ] || fail "files are left: $(ls files)"
}

# longest WORD...: a call that lasted long is told, with the rank that came last, when the calls behind it are more than are kept.
longest() {
    expect 0 "^all right" "$@" -n "$ranks" "$strata" run --record=keep:"$folder/files" -- "$program" longest "$rank" 20 "$seed"
    expect 0 "in the last [0-9]+ calls ranks stood" "$strata" rollcall "$folder/files" --late
    last="last: rank $rank(, which stood there for less time)?, at $(site longest)"
    grep -A 5 "^  the longest calls of the run:$" said | grep -qE "^ +[0-9.]+ m?s  .* after MPI_Init: call [0-9]+ of MPI_COMM_WORLD, allreduce of 4 B, MPI_INT, MPI_SUM; $last" || {
        cat said
        fail "the late call is not told" # others may be longer where cores are crowded
    }
    "$strata" rollcall "$folder/files" --page page.svg || fail "no page"
    grep -qE ">$last" page.svg || fail "the page lacks it"
    rm -f files/*
}

# checked WORD...: ranks give a call differently, and the program goes on; STRATA_CHECK says so.
checked() {
    expect 0 "^strata: wrong: in call [0-9]+ of MPI_COMM_WORLD the datatypes differ: .*MPI_FLOAT on rank $rank at $(site_of checked)" "$@" -n "$ranks" \
        "$strata" run --set check=1 --force allreduce=native --record="$folder/files" -- "$program" checked "$rank" 20 "$seed"
    [ "$(grep -c "wrong: " said)" -eq 1 ] || { cat said; fail "that is said twice"; }
    [ -z "$(ls files)" ] || fail "files are left: $(ls files)"
}

# in_turn LIST...: the word of the list whose turn it is.
in_turn() {
    shift $((seed % $#))
    echo "$1"
}

# A job without a fault: while it goes on nothing is called wrong. Each look counts.
quiet() {
    looks=0
    while kill -0 "$job" 2>/dev/null; do
        "$strata" rollcall "$folder/files" --after 5 >said 2>&1 || true
        verdict=named
        if misled quiet; then
            verdict=wrong
            { echo "a false alarm, seed $seed, $way:" && cat said; } >&2
            [ -n "${TALLY:-}" ] || fail "a false alarm"
        fi
        [ -z "${TALLY:-}" ] || echo "quiet $verdict 0" >>"$TALLY"
        looks=$((looks + 1))
    done
    grep -q "^all right" told || { cat told; fail "the job did not end well"; }
    [ "$looks" -gt 1 ] || fail "only $looks looks"
}

cd "$folder"
for fault in $faults; do
    for seed in $seeds; do
        ranks=$((2 + seed % ${MOST_RANKS:-3}))
        rank=$((seed * 7 % ranks))
        if [ "$fault" = none ]; then
            expect 0 '^all right' "$@" -n "$ranks" "$strata" run --record="$folder/files" --set record_waits=$((seed % 2)) -- "$program" none 0 300 "$seed"
            [ -z "$(ls files)" ] || fail "files are left: $(ls files)"
            continue
        fi
        case $fault in kept | longest | checked) $fault "$@"; continue ;; esac
        waits=$((seed % 2)) # of messages
        ! is_of_messages "$fault" || waits=1
        own='--set rollcall=0' kind=$fault right=$((seed % 50))
        [ "$fault" != watched ] || own='--set rollcall=1' kind=missing
        [ "$fault" != quiet ] || kind=none right=${QUIET_CALLS:-5000}
        # shellcheck disable=SC2086 # a list
        way=$(in_turn ${WAYS:-plans})
        [ "$fault" != watched ] || way=plans
        own="$own --set record_waits=$waits"
        case $way in
        plans) recorded="$strata run --record=$folder/files $own --" ;;
        nodes) recorded="$strata run --record=$folder/files $own --topo node:2 --force allreduce=dpml --force bcast=node_bcast --" ;;
        direct) recorded="env LD_PRELOAD=$recorder${LD_PRELOAD:+:$LD_PRELOAD} STRATA_RECORD=$folder/files STRATA_RECORD_WAITS=$waits" ;;
        esac
        on="-n $ranks"
        [ -z "${HOSTS:-}" ] || on="--ranks $(((ranks + 1) / 2)),$((ranks / 2)) --"
        # shellcheck disable=SC2086 # words
        "$@" $on $recorded "$program" $kind "$rank" $right "$seed" >told 2>&1 &
        job=$!
        case $fault in
        watched | late | quiet) $fault ;;
        *) judge "$fault" ;;
        esac
        [ "$fault" != wait ] || timeline
        end
        [ "$failed" -eq 0 ] || exit 1
    done
done
exit $failed
