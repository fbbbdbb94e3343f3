#!/bin/sh
# Ranks are killed one after the other, and the others go on: in Open MPI from version 5 on, by ULFM. Every survivor
# gets the error of a failed rank or of a revoked communicator, and plans serve the communicator that is left at once.
# Half of the six ranks die in each job. An error that is not raised in twenty seconds counts as hung.
#   failed_ranks.sh BUILD short|long       exit 77: the MPI cannot do that
# In the long form JOBS says how many jobs there are on each kind of nodes, or the first and the last of them, as in
# JOBS="13 69". Unless given there are 340, in which 2040 ranks die.
set -u
. "$(dirname "$0")/functions.sh"
program=$build/tests/reliability_survive

if [ -z "${3:-}" ]; then
    code=0
    "$program" asked || code=$?
    [ $code -ne 77 ] || exit 77
    "$hosts" check || exit
    on_hosts 6 "one node" node:1
    on_hosts 6 "emulated nodes" node:2
    exit $failed
fi

begin
killed=0 jobs=2
[ "$form" = short ] || jobs=${JOBS:-340}
options="--with-ft ulfm"
# shellcheck disable=SC2086 # one or two words
for seed in $(seq $jobs); do
    try "seed $seed, $3" 60 env LD_PRELOAD="$faulting${LD_PRELOAD:+:$LD_PRELOAD}" STRATA_TOPO="$4" STRATA_TRIAL=off \
        STRATA_ALLREDUCE=dpml STRATA_BCAST=node_bcast STRATA_ALLGATHER=node_allgather STRATA_ALLTOALL=leaders \
        STRATA_BARRIER=node_barrier "$program" "$seed"
    some=$(sed -n 's/^all right: \([0-9]*\).*/\1/p' "$work/said")
    if [ -z "$some" ]; then
        [ -n "$wrong" ] || lost=$((lost + 1))
        tail -n 20 "$work/said" >&2
    fi
    killed=$((killed + ${some:-1}))
done
tried=$killed
end "a failed rank survived, $3"
