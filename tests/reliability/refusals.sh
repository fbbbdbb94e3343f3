#!/bin/sh
# The k-th allocation, or the k-th mapping, file or page of shared memory, is refused to one rank, for every k; and the
# system no longer lets one rank read the others, or MPI refuses one of its messages. All ranks fall back together
# where they agree, and nowhere does a rank wait for ever.
#   refusals.sh BUILD short|long
set -u
. "$(dirname "$0")/functions.sh"
calls=$build/tests/reliability_calls
preload=$build/libstrata_preload_$mpi.so

if [ -z "${3:-}" ]; then
    "$hosts" check || exit
    on_hosts 3 here
    [ "$form" = short ] || on_hosts 2,1 over
    [ "$(nproc)" -lt 2 ] || on_hosts 2 measured # ranks that share a core measure nothing
    exit $failed
fi

# refused KIND LEAST NAME TOPOLOGY PROGRAM [LIBRARY]: at least LEAST faults are reached. The topology may be hosts.
refused() {
    tried=0 lost=0 hung=0 crashed=0 left=0
    # shellcheck disable=SC2086 # no word or one
    try "$3, $4" $limit env LD_PRELOAD="$faulting${6:+:$6}${LD_PRELOAD:+:$LD_PRELOAD}" STRATA_TOPO="${4#hosts}" "$5" refused "$1" "$2" $longer
    tried=$(sed -n 's/^all right: //p' $work/said)
    if [ -z "$tried" ] || [ $got -ne 0 ]; then
        tried=${tried:-1}
        [ $((lost + hung + crashed)) -gt 0 ] || { lost=1; echo "$3, $4: exit code $got" >&2; tail -n 20 $work/said >&2; }
    fi
    end "$3, $4" || failed=1
}

begin
limit=300 longer=''
[ "$form" = short ] || { limit=1500 longer=long; }
export STRATA_ALLREDUCE=node_allreduce STRATA_ALLTOALLV=leaders STRATA_BCAST=node_bcast STRATA_TRIAL=off
[ "$form" = short ] || export UCX_MEM_MMAP_HOOK_MODE=none # with its hooks, UCX maps memory past the fault
export STRATA_BUDGET=512K # each communicator takes new pages
if [ "$3" = measured ]; then
    refused message 12 "a message refused while ranks measure" node:1 "$calls"
    exit $failed
fi
if [ "$3" = over ]; then
    refused alloc 190 "an allocation refused" hosts "$calls"
    refused map 11 "a mapping or file refused" hosts "$calls"
    refused alloc 150 "an allocation refused, preload" hosts "${calls}_preloaded" "$preload"
    refused message 10 "a message refused" hosts "$calls"
    exit $failed
fi
# Under the preload library a process maps memory once. The k-th of these mappings is refused in disturbances.sh, a job
# for each k.
if [ "$form" = short ]; then
    refused alloc 240 "an allocation refused" node:1 "$calls"
    refused map 11 "a mapping or file refused" node:2 "$calls"
    refused alloc 180 "an allocation refused, preload" node:1 "${calls}_preloaded" "$preload"
else
    for topology in node:1 node:2; do
        refused alloc 190 "an allocation refused" $topology "$calls"
        refused map 11 "a mapping or file refused" $topology "$calls"
        refused alloc 150 "an allocation refused, preload" $topology "${calls}_preloaded" "$preload"
    done
    refused maps 40 "mappings and files refused from one on" node:1 "$calls"
    refused map 20 "a mapping or file refused" node:3 "$calls" # each rank has memory of its own
    refused message 10 "a message refused" node:2 "$calls"
fi
STRATA_ALLGATHER=single_copy STRATA_BCAST=single_copy refused read 4 "reading refused" node:1 "$calls"
if [ "$form" = long ]; then
    unset STRATA_ALLTOALLV # it is then chosen by sizes that earlier calls brought
    refused message 10 "a message refused, alltoallv chosen" node:2 "$calls"
fi
exit $failed
