#!/bin/sh
# standard.sh short|long MPI STRATA PROGRAM LAUNCHER...: runs the cases of `standard` on plain MPI, then under the
# preload library, with the plans that Strata chooses and with others forced. Each case must print the same line. The
# long form tries all places, also under STRATA_SHADOW, and over two hosts where hosts can be made (docs/hosts.md). MPI is
# openmpi, mpich or abi: by the standard ABI hosts are not tried, as hosts.sh starts an MPI by its name.
set -eu
. "$(dirname "$0")/../functions.sh"
form=$1 mpi=$2 strata=$3 program=$4
shift 4
temporary_folder
export UCX_LOG_LEVEL=error # or MPICH's warns, among the lines, of the requests that are open in the end

node_aware="STRATA_ALLTOALL=leaders STRATA_ALLTOALLV=leaders STRATA_ALLTOALLW=leaders STRATA_ALLGATHER=node_allgather
STRATA_ALLGATHERV=node_allgather STRATA_BCAST=node_bcast STRATA_GATHER=node_gather STRATA_GATHERV=node_gather
STRATA_SCATTER=node_scatter STRATA_SCATTERV=node_scatter STRATA_REDUCE=dpml STRATA_ALLREDUCE=dpml
STRATA_REDUCE_SCATTER=node_reduce_scatter STRATA_REDUCE_SCATTER_BLOCK=node_reduce_scatter STRATA_SCAN=node_scan
STRATA_EXSCAN=node_scan STRATA_BARRIER=node_barrier"
flat="STRATA_ALLTOALL=modified STRATA_ALLTOALLV=sloav STRATA_ALLTOALLW=pairwise STRATA_ALLGATHER=bruck
STRATA_ALLGATHERV=ring STRATA_BCAST=binomial STRATA_GATHER=binomial STRATA_GATHERV=binomial STRATA_SCATTER=binomial
STRATA_SCATTERV=knomial STRATA_REDUCE=binomial STRATA_ALLREDUCE=recursive_doubling STRATA_REDUCE_SCATTER=ring
STRATA_REDUCE_SCATTER_BLOCK=circulant STRATA_SCAN=doubling_scan STRATA_EXSCAN=doubling_scan
STRATA_BARRIER=dissemination"

# cases FILE COMMAND...: its lines; a run that does not come to its end fails.
cases() {
    file=$1
    shift
    "$@" >"$folder/$file" 2>"$folder/errors" && grep -q '^all cases were called' "$folder/$file" || {
        tail -n 20 "$folder/errors" >&2
        fail "no end after: $(tail -n 1 "$folder/$file")"
        return 1
    }
}

# compare WHAT SETTINGS PLAIN COMMAND...: under the preload library, against the lines of PLAIN.
compare() {
    what=$1 settings=$2 against=$3
    shift 3
    # shellcheck disable=SC2086 # words
    cases preloaded "$@" env $settings "$strata" run -- "$program" "$form" || return 0
    diff "$folder/$against" "$folder/preloaded" >"$folder/differences" || {
        grep '^[<>]' "$folder/differences" | head -n 20
        fail "$what: $(grep -c '^<' "$folder/differences") cases are not as on MPI alone"
        return 0
    }
    echo "$what: $(($(wc -l <"$folder/preloaded") - 1)) cases as on MPI alone"
}

cases plain "$@" -n 5 "$program" "$form" || exit 1
compare "two nodes, node-aware plans" "STRATA_TOPO=node:2 $node_aware" plain "$@" -n 5
compare "three nodes in turn" STRATA_TOPO=node:3:cyclic plain "$@" -n 5
if [ "$form" = long ]; then
    for place in node:1 node:2 node:3:cyclic; do
        compare "$place" STRATA_TOPO=$place plain "$@" -n 5
        compare "$place, node-aware plans" "STRATA_TOPO=$place $node_aware" plain "$@" -n 5
        compare "$place, flat plans" "STRATA_TOPO=$place $flat" plain "$@" -n 5
    done
    compare "node:2, beside MPI's own" "STRATA_TOPO=node:2 STRATA_SHADOW=1 $node_aware" plain "$@" -n 5
    compare "node:2, flat plans, beside MPI's own" "STRATA_TOPO=node:2 STRATA_SHADOW=1 $flat" plain "$@" -n 5
    [ "$mpi" != abi ] || { echo "by the standard ABI: not tried over hosts"; exit $failed; }
    hosts="$(dirname "$0")/../hosts/hosts.sh"
    "$hosts" check >/dev/null 2>&1 || { echo "hosts cannot be made here: not tried over hosts"; exit $failed; }
    over="$hosts run --hosts 2 --ranks 3,2 --mpi $mpi --mpiexec $1 --"
    # shellcheck disable=SC2086 # words
    {
        cases plain_hosts $over "$program" "$form" || exit 1
        compare "over hosts" "" plain_hosts $over
        compare "over hosts, node-aware plans" "$node_aware" plain_hosts $over
        compare "over hosts, flat plans" "$flat" plain_hosts $over
    }
fi
exit $failed
