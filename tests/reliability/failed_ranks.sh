#!/bin/sh
# Ranks are killed one after the other, and the others go on: in Open MPI from version 5 on, by ULFM. Every survivor
# gets the error of a failed rank or of a revoked communicator, and plans serve the communicator that is left at once.
# Half of the six ranks die in each job: in calls that block, in nonblocking ones, in persistent ones, along a chain,
# where threads are members, or in a program that calls MPI alone, under the preload library. In further jobs no rank
# dies: one revokes the communicator while the others are in a call, four times. A job that has not ended after 60
# seconds counts as hung. Where nine of twelve ranks die and the node has little memory, plans serve the last
# communicators only if memory of the dead is taken back.
# Over hosts Open MPI 5.0 may stand still in MPIX_Comm_shrink for ever, or take a living rank for a failed one. So a
# program that calls MPI alone comes first there (the way alone). Where it has such jobs, those of Strata's programs in
# which the same goes wrong have a row of their own. Of 40 jobs of MPI alone three went wrong once, and none another
# time. So the short form, which begins with three, makes 40 where one of Strata's is the first to go wrong.
#   failed_ranks.sh BUILD short|long       exit 77: the MPI cannot do that
# In the long form JOBS says how many jobs there are on each kind of nodes, or the first and the last of them, as in
# JOBS="13 69". Unless given there are 340. PLACES are some of node, emulated, hosts and little (memory). WAYS are of
# those in which ranks die and the memory is large: some of nonblocking, persistent, chain, members and preloaded.
set -u
. "$(dirname "$0")/functions.sh"
program=$build/tests/reliability_survive

if [ -z "${3:-}" ]; then
    code=0
    "$program" asked || code=$?
    [ $code -ne 77 ] || exit 77
    "$hosts" check || exit
    for place in ${PLACES:-node emulated hosts little}; do
        case $place in
        node) on_hosts 6 "one node" node:1 ;;
        emulated) on_hosts 6 "emulated nodes" node:2 ;;
        hosts) on_hosts 3,3 hosts - ;;
        little) on_hosts 12 "one node, little memory" node:1 256K ;;
        *) fail "there is no place $place" ;;
        esac
    done
    exit $failed
fi

# all_are PATTERN OTHER: there are lines with the pattern in what the last job said, and each has the other one, too.
all_are() { grep -aq "$1" "$work/said" && ! grep -a "$1" "$work/said" | grep -qv "$2"; }

# is_alike WAY: what went wrong in the last job is what goes wrong with MPI alone. All ranks that stand still are in
# MPIX_Comm_shrink, or in MPI_Init before any call of Strata's, or a living rank was left out. No rank fails in jobs
# that revoke.
is_alike() {
    case $wrong,$1 in
    *,revoked) false ;;
    hung,*) all_are 'stands still' 'shrinks$' || { [ "$1" != preloaded ] && all_are 'stands still' 'it starts$'; } ;;
    lost,*) all_are 'lost:' 'lost: ranks that are left' ;;
    *) false ;;
    esac
}

# ask_alone: MPI alone has had jobs that went wrong, too. Where it had none yet, it has further ones until one does.
ask_alone() {
    if [ "$alone" -eq 0 ] && [ "$beside" -lt $enough ]; then
        cp "$work/said" "$work/said.first"
        alone=$(
            alone=$enough alike=0
            for seed in $(seq $((beside + 1)) $enough); do
                survived "$seed" alone 2>/dev/null
                [ $alike -eq 0 ] || break
            done
            echo $alike
        )
        mv "$work/said.first" "$work/said"
        beside=$enough
    fi
    [ "$alone" -gt 0 ]
}

# survived SEED WAY: one job; adds to all.
survived() {
    also=
    [ "$2" != preloaded ] || also=:$build/libstrata_preload_$mpi.so
    try "seed $*, $kind" 60 env LD_PRELOAD="$faulting$also${LD_PRELOAD:+:$LD_PRELOAD}" \
        ${budget:+STRATA_BUDGET="$budget"} STRATA_TRIAL=off STRATA_ALLREDUCE=$allreduce STRATA_BCAST=node_bcast \
        STRATA_ALLGATHER=node_allgather STRATA_ALLTOALL=leaders STRATA_BARRIER=node_barrier "$program" "$@"
    some=$(sed -n 's/^all right: \([0-9]*\).*/\1/p' "$work/said")
    if is_alike "$2" && ask_alone && [ $alike -le $((3 * alone)) ]; then
        case $wrong in
        lost) lost=$((lost - 1)) alike_lost=$((alike_lost + 1)) ;;
        hung) hung=$((hung - 1)) ;;
        esac
        alike=$((alike + 1)) some=0
    elif [ -z "$some" ]; then
        [ -n "$wrong" ] || lost=$((lost + 1))
        tail -n 20 "$work/said" >&2
    fi
    all=$((all + ${some:-1}))
}

# surviving WHAT WAY
surviving() {
    all=0 tried=0 lost=0 hung=0 crashed=0 left=0 alike=0 alike_lost=0
    # shellcheck disable=SC2086 # one or two words
    for seed in $(seq $jobs); do
        survived "$seed" "$2"
    done
    tried=$all
    end "$1, $kind" || failed=1
    [ $alike -eq 0 ] || echo "$1, $kind, as MPI alone $alike $alike_lost $((alike - alike_lost)) 0 0"
}

# surviving_alone: MPI alone, whose rows are no fault of Strata's; sets alone, how many jobs stood still or left out a
# rank.
surviving_alone() {
    before=$failed asked=$jobs alone=1000000
    [ "$form" = short ] || jobs=$enough
    beside=$jobs
    surviving "a failed rank survived, MPI alone" alone
    failed=$before jobs=$asked alone=$alike
}

begin
[ "$4" = - ] || export STRATA_TOPO="$4"
allreduce=dpml # for which two survivors have to share a node
[ "$4" != - ] || allreduce=recursive_doubling
# HAN, which Open MPI takes where there are several hosts, crashes where a rank has failed.
kind=$3 budget=${5:-} jobs=3 options="--with-ft ulfm --mca coll ^han"
# Jobs of MPI alone that went wrong, its jobs, and the most of them: few go wrong. None unless over hosts.
alone=0 beside=0 enough=0
[ "$form" = short ] || jobs=${JOBS:-340}
[ "$4" != - ] || { enough=40 && surviving_alone; }
surviving "a failed rank survived" blocking
if [ -z "$budget" ]; then
    surviving "a revoked communicator survived" revoked
    for way in ${WAYS:-nonblocking persistent chain members preloaded}; do
        surviving "a failed rank survived, $way" $way
    done
fi
exit $failed
