#!/bin/sh
# A rank is killed (kill -9) somewhere in a node-aware algorithm, in one of four places: as it waits, copies, takes
# memory, or sends or awaits a message. Ranks have died in each of them, or the script fails. They take memory while
# the communicator is attached, and under the preload library for plans, too. The program repeats random calls of one
# collective with one algorithm for ever. Two more programs repeat calls of all collectives, one of which has the
# algorithm: one that does not know of Strata, under the preload library, and one whose threads are members. The job
# must end, as the launcher sees to it. No rank may spin on, see a wrong byte or crash, and no file and no shared
# memory may stay.
# Over hosts MPICH 5.0.2 crashes where a message goes to a rank that is dead. So jobs that crash at the instruction where
# a program does that calls MPI alone (killed_alone.c) have a row of their own.
#   kills.sh BUILD short|long
set -u
. "$(dirname "$0")/functions.sh"

# What node-aware algorithms there are: "collective:algorithm", one a line.
pairs() {
    "$build/strata" list | awk '/^[a-z]/ { name = $1 } $1 == "collectives" { $1 = ""; gsub(/[ ,]+/, " "); served = $0 }
        $1 == "level" && $2 == "node-aware" { n = split(served, each, " "); for (i = 1; i <= n; i++) print each[i] ":" name }'
}

# ask_alone: where MPI alone crashes in such a job, "LIBRARY+OFFSET" a line; its launcher leaves the others running.
ask_alone() (
    if [ ! -e $work/alone ]; then
        : >$work/alone.told
        for way in "" gather; do
            # shellcheck disable=SC2086 # a word or none
            timeout -k 5 60 "$mpiexec" -disable-auto-cleanup -n "$HOSTS_TOTAL" \
                env LD_PRELOAD="$faulting${LD_PRELOAD:+:$LD_PRELOAD}" FAULTING_TELLS=$work/alone.told \
                "$build/tests/reliability_killed_alone" $way >$work/alone.said 2>&1 </dev/null || true
        done
        sed -n 's/^a rank crashes at //p' $work/alone.told | sort -u >$work/alone
        look "MPI alone"
    fi
    cat $work/alone
)

# is_alike: all ranks that crashed in the last job did so where MPI alone does.
is_alike() {
    [ "$wrong,$mpi" = crashed,mpich ] || return
    sed -n 's/^a rank crashes at //p' $work/told | sort -u >$work/crashes
    [ -s $work/crashes ] && ask_alone | comm -13 - $work/crashes | cmp -s - /dev/null
}

# judge PAIR: the last job. A rank was killed, and has told so: the launcher's exit code is that of a survivor where one
# finds the dead rank first. The others ended soon after it.
judge() {
    sed -n 's/^the fault has come at \([0-9]*\): \([a-z]*\) .*/\1 \2/p' $work/told >$work/death
    if [ "$got" -eq 0 ] || [ ! -s $work/death ]; then
        [ -n "$wrong" ] || lost=$((lost + 1)) # a job counts once
        echo "$1: nobody was killed, exit code $got" >&2
        return
    fi
    read -r death place <$work/death
    echo "$place $((ended - death))" >>"$died"
    if is_alike; then
        crashed=$((crashed - 1)) alike=$((alike + 1))
        echo "$1: MPI alone crashes there, too: $(cat $work/crashes)" >&2
    fi
    if [ -z "$wrong" ] && [ $((ended - death)) -gt $soon ]; then
        hung=$((hung + 1))
        echo "$1: ended $((ended - death)) s after the death" >&2
    fi
}

# code FILE FOLDER...: where the functions of these folders lie in the program or library, "ADDRESS BYTES" a line.
code() {
    file=$1
    shift
    {
        cd "$(dirname "$script")/../.." || exit
        find "$@" -name '*.c' -printf 'source %f\n'
        defined "$@" | sed -n 's/^strata_/name &/p'
        readelf -sW "$file"
    } | awk '$1 == "source" { sources[$2] } $1 == "name" { names[$2] } $4 == "FILE" { known = $8 in sources }
        $4 == "FUNC" { split($8, name, "."); if (known || name[1] in names) print $2, $3 }'
}

# strike WAY PAIR SEED RANK,K,PLACE: one job. The program that is not told the algorithm has it from the environment.
strike() {
    way=$1 pair=$2 seed=$3 fault=$4 first=$faulting strata=
    forced=$(echo "STRATA_${pair%%:*}" | tr '[:lower:]' '[:upper:]')=${pair#*:}
    case $way,$pair in
    preloaded,*)
        strata=$build/libstrata_preload_$mpi.so first=$first:$strata
        set -- "$build/tests/preload_collectives" ever
        ;;
    members,*)
        set -- multiple serialized funneled
        shift $((seed % 3))
        set -- "$build/tests/mpi_test_members" --threads 2,1 --calls 100000000 --level "$1"
        ;;
    *,*reduce* | *,*scan:*) set -- "$build/tests/mpi_test_api_reductions" --only " $pair " --calls 100000 ;;
    *) set -- "$build/tests/mpi_test_api_collectives" --only " $pair " --calls 100000 ;;
    esac
    # shellcheck disable=SC2086 # several words
    code "${strata:-$1}" $folders >$work/code
    [ -s $work/code ] || fail "no function of $folders is known in ${strata:-$1}"
    # Until a victim comes to its place a crowded machine may take long.
    try "$pair, $way, rank, number and place: $fault" 60 env LD_PRELOAD="$first${LD_PRELOAD:+:$LD_PRELOAD}" \
        FAULTING="kill,$fault" FAULTING_CODE=$work/code "$forced" "$@" --seed "$seed"
    judge "$pair"
}

if [ -z "${3:-}" ]; then
    "$hosts" check || exit
    died=$(TMPDIR=/tmp mktemp) # the place of each death, and the seconds after it; hosts see it, too
    export died
    at_exit 'rm -f "$died"'
    for way in direct preloaded members; do
        also=$([ $way = direct ] || echo ", $way")
        on_hosts 5 "one node$also" node:1 $way
        on_hosts 5 "emulated nodes$also" node:2,3 $way
        on_hosts 2,3 "hosts$also" - $way
    done
    for place in wait copy memory message; do
        echo "killed, $place: $(grep -c "^$place" "$died"), $(awk -v place=$place '$1 == place && $2 > most { most = $2 }
            END { print most + 0 }' "$died") s later at most" >&2
        grep -q "^$place" "$died" || fail "no rank was killed in the place $place"
    done
    exit $failed
fi

# draw N: sets drawn, 0 to N - 1; the number of the run decides.
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

# lacks PAIR PLACE: no message and no copy is known of algorithms that share results, and where MPI serves instead of
# those for one node, as of a lane_bcast. A barrier copies nothing.
lacks() {
    case $topology,$1,$2 in
    *,wait | *,memory) return 1 ;;
    *_once,* | *,barrier:*,copy | node:1,*,message | node:1,*:lane_bcast,copy) ;;
    node:1,*) return 1 ;;
    *:single_copy,* | *:node_reduce,* | *:node_allreduce,*) ;;
    *) return 1 ;;
    esac
}

# choose PAIR: sets place, in turn; folders, whose calls count there; victim; and most, as often at least a victim
# comes there in some seconds. Of the ranks, 0 and 2 surely have messages: they lead nodes. The waits of api/ do not
# count: ranks wait often while a communicator is attached. Nor do most copies but those of the engine, and of another
# rank's memory. The programs that call Strata have an allocator of their own, so what counts there are mappings.
choose() {
    for place in $turn; do
        lacks "$1" "$place" || break
    done
    turn="$(echo " $turn " | sed "s/ $place / /") $place"
    victim=$(((number + round) % HOSTS_TOTAL)) folders="core hier internode intranode api preload"
    case $place in
    message) most=60 victim=$((victim % 2 * 2)) ;;
    wait) most=150 folders="core intranode internode" ;;
    copy) most=60 folders="core/engine intranode" ;;
    memory) most=$([ $way = preloaded ] && echo 150 || echo 3) ;;
    esac
}

begin
alike=0
soon=10 # seconds; a job of MPI alone ends within three
topology=$4
[ "$4" = - ] || export STRATA_TOPO="$4"
way=$5 rounds=1 state=${#3} run=0
case $way in
direct) turn="message wait copy memory" ;;
preloaded) turn="memory message copy wait" ;;
members) turn="copy wait message memory" ;;
esac
case $form,$way,$4 in
long,direct,-) rounds=2 every=1 ;;
long,direct,*) rounds=7 every=1 ;;
long,*) every=1 ;;
*,direct,*) every=10 ;;
*) every=40 ;;
esac
for round in $(seq $rounds); do
    for pair in $(pairs); do
        run=$((run + 1))
        [ $(((run + ${#3}) % every)) -eq 0 ] || continue
        number=$((run / every))
        choose "$pair"
        draw $most
        strike $way "$pair" $run $victim,$((drawn + 1)),$place
    done
done
end "a rank killed, $3" || failed=1
[ $alike -eq 0 ] || echo "a rank killed, $3, as MPI alone $alike 0 0 $alike 0"
exit $failed
