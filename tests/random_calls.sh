#!/bin/sh
# Random calls of all collectives: CALLS in all, at 1 to 9 ranks, over random emulated nodes, algorithms, thresholds,
# budgets and tori, all from one seed. A run in three makes alltoall and alltoallv calls on several communicators; the
# others go through all collectives and all their algorithms. At the end it says how often each of those was run.
#
#   tests/random_calls.sh build/openmpi            20000 calls, seed 1
#   tests/random_calls.sh build/mpich-sanitize 2000 7
set -u
. "$(dirname "$0")/functions.sh"
build=${1:?usage: tests/random_calls.sh BUILD [CALLS] [SEED]}
calls=${2:-20000}
seed=${3:-1}
each=${EACH:-250}
programs=$build/tests/mpi_test_
for name in random_calls api_collectives api_reductions; do
    [ -x "$programs$name" ] || { echo "random_calls: $programs$name is not built" >&2; exit 2; }
done
mpiexec=$(setting MPIEXEC_EXECUTABLE)
case $(setting STRATA_MPI) in
    openmpi) mpiexec="$mpiexec --oversubscribe --mca mpi_yield_when_idle 1"
             export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ;;
esac

# A linear congruential generator in shell arithmetic; $drawn is 0 .. $1-1.
state=$((seed * 7919 + 17))
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

pick() {
    draw $#
    shift "$drawn"
    picked=$1
}

# Node sizes that add up to $1, or a number of equal nodes, in turn or in blocks.
layout() {
    left=$1 sizes=
    draw 2
    if [ "$drawn" = 0 ]; then
        draw "$1"
        sizes=$((drawn + 1))
    else
        while [ "$left" -gt 0 ]; do
            draw "$left"
            size=$((drawn + 1))
            sizes=${sizes:+$sizes,}$size
            left=$((left - size))
        done
        [ "$sizes" != "$1" ] || sizes=1 # one number would say how many nodes
    fi
    pick "" "" :cyclic
    topology=node:$sizes$picked
    draw 4
    [ "$drawn" != 0 ] || topology=node:1 # blocks are lent in one node
}

temporary_folder
report=$folder/report
tally=$folder/tally
done_calls=0 run=0
while [ "$done_calls" -lt "$calls" ]; do
    draw 9
    ranks=$((drawn + 1))
    layout "$ranks"
    pick 64 256 1K 4K; threshold=$picked
    pick 64K 96K 1M 64M; budget=$picked
    pick 0 0 0 1; check=$picked
    run=$((run + 1))
    set -- STRATA_TOPO="$topology" STRATA_THRESHOLD="$threshold" STRATA_BUDGET="$budget" STRATA_CHECK="$check"
    pick random_calls api_collectives api_reductions; program=$picked
    if [ "$program" = random_calls ]; then
        pick auto auto leaders leaders:leaders=1,radix=2 leaders:leaders=2,radix=3,tree=2 \
            leaders:leaders=9,radix=4 leaders:radix=2,between=pairwise leaders:between=two_phase \
            single_copy sloav:radix=2 sloav:radix=5 two_phase tuna:radix=3,batch=1 tuna pairwise:window=2
        set -- "$@" STRATA_ALLTOALLV="$picked" STRATA_ALLTOALL="$picked"
        now=$((calls - done_calls < each ? calls - done_calls : each))
    else
        case $ranks in
            4) pick "" 2x2 4:mesh ;;
            6) pick "" 2x3 3x2:mesh ;;
            8) pick "" 2x4 2x2x2 ;;
            9) pick "" 3x3 3x3:mesh ;;
            *) picked= ;;
        esac
        [ -z "$picked" ] || set -- "$@" STRATA_TORUS="$picked"
        now=2 # of each algorithm
    fi
    # shellcheck disable=SC2086 # the launcher is several words
    if ! env "$@" timeout 600 $mpiexec -n "$ranks" "$programs$program" --calls "$now" \
        --seed $((seed * 100003 + run)) >"$report"; then
        echo "random_calls: failed: $* $mpiexec -n $ranks $programs$program --calls $now" \
            "--seed $((seed * 100003 + run))" >&2
        exit 1
    fi
    made=$(sed -n 's/^\([0-9][0-9]*\) .*calls right.*/\1/p' "$report")
    done_calls=$((done_calls + made))
    grep 'calls by plans$' "$report" >>"$tally"
done
awk '{ name = sprintf("%-20s %-20s", $1, $2); plans[name] += $3; made[name] += $5 }
    END { for (name in made) print name, plans[name], "of", made[name], "calls by plans" }' "$tally" | sort
echo "$done_calls random calls right in $run runs, seed $seed"
