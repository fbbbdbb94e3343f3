#!/bin/sh
# A rank is killed (kill -9) somewhere in a node-aware algorithm: while the communicator is attached, between two steps
# of a call, or while the rank waits. The program repeats random calls of one collective with one algorithm for ever. Two
# more programs repeat calls of all collectives, one of which has the algorithm: one that does not know of Strata, under
# the preload library, and one whose threads are members. The job must end, as the launcher sees to it. No rank may spin
# on, see a wrong byte or crash, and no file and no shared memory may stay.
#   kills.sh BUILD short|long
set -u
. "$(dirname "$0")/functions.sh"

# What node-aware algorithms there are: "collective:algorithm", one a line.
pairs() {
    "$build/strata" list | awk '/^[a-z]/ { name = $1 } $1 == "collectives" { $1 = ""; gsub(/[ ,]+/, " "); served = $0 }
        $1 == "level" && $2 == "node-aware" { n = split(served, each, " "); for (i = 1; i <= n; i++) print each[i] ":" name }'
}

# was_killed: the last job ended because a rank was killed. Open MPI's launcher says so by 128 and the signal, MPICH's by
# the signal. The code is another one where a survivor finds the dead rank first, and from MPICH on several hosts: there
# the rank has said that it is killed.
was_killed() {
    case $mpi,$got in
    openmpi,137 | mpich,9) ;;
    *) [ "$got" -ne 0 ] && came 1 ;;
    esac
}

# strike WAY PAIR SEED FAULT: one job. The program that is not told the algorithm has it from the environment.
strike() {
    way=$1 pair=$2 seed=$3 fault=$4 first=$faulting
    forced=$(echo "STRATA_${pair%%:*}" | tr '[:lower:]' '[:upper:]')=${pair#*:}
    case $way,$pair in
    preloaded,*)
        first=$first:$build/libstrata_preload_$mpi.so
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
    try "$pair, $way, rank ${fault%%,*} at step ${fault#*,}" 20 env LD_PRELOAD="$first${LD_PRELOAD:+:$LD_PRELOAD}" \
        FAULTING="kill,$fault" "$forced" "$@" --seed "$seed"
    was_killed || { lost=$((lost + 1)); echo "$pair: nobody was killed, exit code $got" >&2; }
}

if [ -z "${3:-}" ]; then
    "$hosts" check || exit
    for way in direct preloaded members; do
        also=$([ $way = direct ] || echo ", $way")
        on_hosts 5 "one node$also" node:1 $way
        on_hosts 5 "emulated nodes$also" node:2,3 $way
        on_hosts 2,3 "hosts$also" - $way
    done
    exit $failed
fi

# draw N: sets drawn, 0 to N - 1; the number of the run decides.
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

begin
[ "$4" = - ] || export STRATA_TOPO="$4"
way=$5 rounds=1 state=${#3} run=0
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
        draw 3
        case $drawn in 0) most=40 ;; 1) most=200 ;; *) most=3000 ;; esac # one in three dies as it attaches
        draw $most
        step=$((drawn + 1))
        draw 80
        strike $way "$pair" $run $(((run / every + round) % HOSTS_TOTAL)),$step,$((drawn > 40 ? drawn - 40 : 0))
    done
done
end "a rank killed, $3"
