#!/bin/sh
# Random calls of all collectives: CALLS in all, at 1 to 9 ranks, over random emulated nodes, algorithms, thresholds,
# budgets and tori, all from one seed. One run in three makes alltoall and alltoallv calls on several communicators.
# The others make all collectives with all their algorithms. At the end the script prints how often each ran. With
# LEAST it then runs the algorithms again that plans served less often, as far as they are applicable to the random
# cases.
#
#   tests/random_calls.sh build/openmpi            20000 calls, seed 1
#   tests/random_calls.sh build/mpich-sanitize 2000 7
#   LEAST=500 tests/random_calls.sh build/openmpi 100000
#   TIME=240 tests/random_calls.sh build/mpich 100000   as many calls as fit into 240 seconds
#   REFUSE=1 tests/random_calls.sh build/openmpi   in five runs of six the system begins to refuse reading
#   TALLY=FILE tests/random_calls.sh build/mpich   adds to the counts of earlier runs in FILE
#   MEMBERS=1 tests/random_calls.sh build/openmpi  of threads as members: 1 to 4 ranks of 1 to 8 threads, on all levels,
#                                                  or of a part that was split off
#   HOSTS=1 tests/random_calls.sh build/openmpi    over 1 to 4 hosts made of namespaces, not over emulated nodes
#   SOAK=600 tests/random_calls.sh build/openmpi   so many seconds: a few runs that last, in which heap, mappings and
#                                                  open files must not grow (tests/mpi/soak.h); also with HOSTS=1
#   SOAK=600 KINDS=members tests/random_calls.sh build/openmpi   of these programs: requests, random_calls, members
# In a soak calls are blocking, nonblocking, persistent, and of threads as members; one run in two also preloads Strata,
# so MPI's own calls, which results are compared with, are Strata's too. Members are in turn a part of all ranks, no
# part, and a part of every second rank; there, and over hosts, a run has two ranks at least, and over hosts two hosts.
set -u
. "$(dirname "$0")/functions.sh"
hosts=$(cd "$(dirname "$0")" && pwd)/hosts/hosts.sh
build=${1:?usage: tests/random_calls.sh BUILD [CALLS] [SEED]}
calls=${2:-20000}
seed=${3:-1}
each=${EACH:-250}
least=${LEAST:-0}
most_more=400 # runs that LEAST adds
end=$(($(date +%s) + ${TIME:-1000000}))
programs=$build/tests/mpi_test_
for name in random_calls api_collectives api_reductions members requests; do
    [ -x "$programs$name" ] || { echo "random_calls: $programs$name is not built" >&2; exit 2; }
done
mpiexec=$(setting MPIEXEC_EXECUTABLE)
mpi=$(setting STRATA_MPI)
if [ -n "${HOSTS:-}" ]; then
    "$hosts" check || exit
    case $("$mpiexec" --version) in *"Open MPI"* | *OpenRTE*) starter=openmpi ;; *) starter=mpich ;; esac # also of MPICH's ranks
else
    mpiexec="$mpiexec $(setting STRATA_MPIRUN_OPTIONS)"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
# Ranks start sooner without what hwloc and PMIx would look for (cmake/StrataTest.cmake).
export HWLOC_PLUGINS_PATH=/nonexistent HWLOC_COMPONENTS=-linux:0x18 PMIX_MCA_gds=hash OMP_WAIT_POLICY=passive
yield=$build/tests/libyield_mpich.so # made where MPICH's ranks can be made to yield
[ -e "$yield" ] && yield=$(realpath "$yield") || yield=

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

# One to four hosts for $1 ranks: $list is how many each has, $order how they are dealt. MPICH's own reduce, which
# calls are compared with and handed over to, is wrong where the first has one and another more (docs/install.md).
deal() {
    left=$1 list=
    draw $((4 - least_others))
    others=$((drawn + least_others))
    for after in 3 2 1; do # so many hosts come after this one, if so many are wanted
        if [ "$after" -le "$others" ] && [ "$left" -gt "$after" ]; then
            draw $((left - after))
            list=$list$((drawn + 1)),
            left=$((left - drawn - 1))
        fi
    done
    list=$list$left
    while case $mpi$list in mpich1,*[2-9]*) ;; *) false ;; esac; do list=${list#1,},1; done
    pick block cyclic; order=$picked
    case $mpi$list in mpich*,*) order=block ;; esac # its cyclic order is for equal hosts
}

# Where the next run's ranks are: $launcher, and $topology where that is said.
place() {
    draw $((most_ranks - least_others))
    ranks=$((drawn + 1 + least_others))
    if [ -n "${HOSTS:-}" ]; then
        deal "$ranks"
        topology=""
        count=$(($(printf %s "$list" | tr -cd , | wc -c) + 1)) # one number would mean two hosts
        launcher="$hosts run --hosts $count --ranks $list --order $order --mpi $starter --mpiexec $mpiexec --"
    else
        layout "$ranks"
        launcher="$mpiexec -n $ranks"
    fi
}

# run PROGRAM CALLS [NAME=VALUE...]: there, of the algorithms in $only, or of all.
run() {
    program=$1 now=$2 words="--calls $2 --seed $((seed * 100003 + runs + 1)) $threads"
    [ "$program" != requests ] || words="$now $((seed * 1000 + runs))"
    shift 2
    pick 64 256 1K 4K; threshold=$picked
    pick 64K 96K 1M 64M; budget=$picked
    pick 0 0 0 1; check=$picked
    runs=$((runs + 1))
    set -- STRATA_TOPO="$topology" STRATA_THRESHOLD="$threshold" STRATA_BUDGET="$budget" STRATA_CHECK="$check" "$@"
    [ -z "$yield" ] || set -- LD_PRELOAD="$yield" "$@"
    if [ -n "${REFUSE:-}" ]; then
        # milliseconds, or one of so many reads; the MPIs must not copy like that themselves then
        pick "" 2 20 reads:5 reads:20 reads:100
        # shellcheck disable=SC2046 # words
        [ -z "$picked" ] || set -- STRATA_TEST_REFUSE="$picked" $(setting STRATA_MPI_COPIES_TWICE) "$@"
    fi
    # shellcheck disable=SC2086 # the launcher is several words
    if ! env "$@" timeout $((600 + 6 * ${soaks:-0})) $launcher $preload "$programs$program" $words ${only:+--only "$only"} >"$report"; then
        echo "random_calls: failed: $* $launcher $preload $programs$program $words ${only:+--only \"$only\"}" >&2
        grep '^soak:' "$report" >&2
        exit 1
    fi
    made=$(sed -n 's/^\([0-9][0-9]*\) .*calls right.*/\1/p' "$report")
    done_calls=$((done_calls + ${made:-0}))
    [ -z "$soaks" ] || sed -n "s/^soak:/$(place_told), $program${preload:+, preloaded}:/p" "$report"
    grep 'calls by plans$' "$report" >>"$tally"
    echo "calls: $made" >>"$tally"
    sed -n 's/^lent: \(.*\) in \([0-9]*\) calls of ranks$/\2 \1/p' "$report" >>"$folder/ways"
}

# run_alltoallv CALLS: on several communicators.
run_alltoallv() {
    pick auto auto leaders leaders:leaders=1,radix=2 leaders:leaders=2,radix=3,tree=2 leaders:leaders=9,radix=4 \
        leaders:radix=2,between=pairwise leaders:between=two_phase single_copy sloav:radix=2 sloav:radix=5 two_phase \
        tuna:radix=3,batch=1 tuna pairwise:window=2
    run random_calls "$1" STRATA_ALLTOALLV="$picked" STRATA_ALLTOALL="$picked"
}

# run_all PROGRAM CALLS: so many of each algorithm, now and then on a torus.
run_all() {
    case $ranks in
        4) pick "" 2x2 4:mesh ;;
        6) pick "" 2x3 3x2:mesh ;;
        8) pick "" 2x4 2x2x2 ;;
        9) pick "" 3x3 3x3:mesh ;;
        *) picked= ;;
    esac
    run "$1" "$2" ${picked:+STRATA_TORUS="$picked"}
}

# run_members CALLS: of threads that are members, so many on each rank.
run_members() {
    counts=
    for _ in $(seq "$ranks"); do
        draw 8
        counts=${counts:+$counts,}$((drawn + 1))
    done
    pick multiple serialized funneled
    threads="--threads $counts --level $picked"
    pick no no all second
    threads="$threads --split ${splits:-$picked}"
    pick 1 1 1 0; copy=$picked
    pick 0 0 0 1; same=$picked
    run members "$1" STRATA_SINGLE_COPY="$copy" STRATA_SAME_BITS="$same"
}

place_told() { echo "$ranks ranks, ${list:+hosts of $list}${topology:-}${threads:+,$threads}"; }

# soak: a run of each program in turn. Members fill their tables in half a minute, so a short soak has none of them.
soak() {
    most_ranks=4 soaks=$((SOAK / 12)) kinds="requests random_calls" next_splits="all no second"
    [ "$SOAK" -lt 600 ] || kinds="$kinds members"
    [ "$soaks" -ge 3 ] || soaks=$((SOAK < 3 ? 1 : 3)) # a start takes a second
    export STRATA_TEST_SOAK=$soaks
    # Over hosts HAN of Open MPI 6 keeps 6 MiB for each communicator, and 12 more with the first allgather on it. It has
    # them back with the communicator, but they would hide what is lost.
    export OMPI_MCA_coll_han_use_persist_buffers=0
    while [ "$done_seconds" -lt "$SOAK" ]; do
        for picked in ${KINDS:-$kinds}; do
            program=$picked preload=
            case $program${HOSTS:-} in requests | random_calls) least_others=0 ;; *) least_others=1 ;; esac
            place
            draw 2
            [ "$drawn" = 0 ] || preload="$build/strata run --"
            case $program in
                requests) run requests 1 STRATA_BUDGET=64M ;; # most calls are by plans
                random_calls) run_alltoallv 20 ;;
                members)
                    splits=${next_splits%% *}
                    next_splits="${next_splits#* } $splits"
                    run_members 6
                    ;;
                *) echo "random_calls: soaks have no kind $program" >&2; exit 2 ;;
            esac
            threads=
            done_seconds=$((done_seconds + soaks))
        done
    done
}

in_time() { [ "$(date +%s)" -lt "$end" ]; }

# few PATTERN: those of the collectives that were run by fewer than LEAST plans. What MPI's own serves, what selection
# takes and what only a call of another name asks for are not among them.
few() {
    awk -v least="$least" -v pattern="$1" '
        /by plans$/ && $1 ~ pattern && $2 !~ /^(native|auto|.*_once)$/ { plans[$1 ":" $2] += $3 }
        END { for (name in plans) if (plans[name] < least) printf " %s", name }' "$tally"
}

temporary_folder
report=$folder/report
tally=${TALLY:-$folder/tally}
: >>"$tally"
: >"$folder/ways"
reductions='^(reduce|allreduce|scan|exscan)'
others='^(all[gt]|barrier|bcast|gather|scatter)'
done_calls=0 runs=0 only='' threads='' preload='' soaks='' list='' splits='' done_seconds=0 most_ranks=9 least_others=0
if [ -n "${SOAK:-}" ]; then
    soak
    echo "nothing grew in $runs runs of $soaks s, seed $seed"
    exit
fi
[ -z "${MEMBERS:-}" ] || most_ranks=4
while [ "$done_calls" -lt "$calls" ] && in_time; do
    place
    pick run_alltoallv api_collectives api_reductions
    [ -z "${MEMBERS:-}" ] || picked=run_members
    case $picked in
        run_*) $picked $((calls - done_calls < each ? calls - done_calls : each)) ;;
        *) run_all "$picked" 2 ;;
    esac
done
more=0
while [ "$more" -lt "$most_more" ] && in_time && [ -n "$(few .)" ]; do
    place
    only="$(few "$others") "
    [ "$only" = " " ] || run_all api_collectives 25
    only="$(few "$reductions") "
    [ "$only" = " " ] || run_all api_reductions 25
    more=$((more + 1))
done
awk '/by plans$/ { name = sprintf("%-20s %-20s", $1, $2); plans[name] += $3; made[name] += $5 }
    END { for (name in made) print name, plans[name], "of", made[name], "calls by plans" }' "$tally" | sort
awk '{ calls = $1; sub(/^[0-9]* /, ""); ways[$0] += calls }
    END { for (name in ways) print "lent: " name " in " ways[name] " calls of ranks" }' "$folder/ways" | sort
[ "$least" = 0 ] || echo "by fewer than $least plans:$(few .)"
[ -z "${TALLY:-}" ] || awk '/^calls:/ { made += $2 } END { print made, "random calls right in all pieces" }' "$tally"
echo "$done_calls random calls right in $runs runs, seed $seed"
