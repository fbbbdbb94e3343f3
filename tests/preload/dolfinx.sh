#!/bin/sh
# dolfinx.sh STRATA PYTHON LAUNCHER...: runs tests/programs/poisson.py on MPI alone and under the preload library,
# with the plans that Strata chooses and with others forced. The results must be equal.
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 python=$2 program=$(cd "$(dirname "$0")/../programs" && pwd)/poisson.py
shift 2
"$python" -c "import dolfinx, petsc4py" 2>/dev/null || { echo "no dolfinx for $python: not tried"; exit 77; }
temporary_folder

# solve NAME COMMAND...: its results in that file.
solve() {
    name=$1
    shift
    timeout 150 "$@" "$python" "$program" >"$folder/said" 2>&1 || {
        tail -n 20 "$folder/said"
        fail "$name: it ended with an error, or not at all"
    }
    grep '^poisson' "$folder/said" >"$folder/$name" || true
}

# compare NAME COMMAND...
compare() {
    solve "$@"
    diff "$folder/plain" "$folder/$1" || fail "$1: other results than on MPI alone"
    [ $failed -eq 0 ] || exit 1
}

solve plain "$@"
[ "$(wc -l <"$folder/plain")" -eq 3 ] || fail "plain: not three results"
for times in 1 2 3; do
    compare "chosen$times" "$@" "$strata" run --
done
compare forced "$@" "$strata" run --topo node:2 --force alltoallv=leaders --force allgather=node_allgather --force allreduce=dpml \
    --force bcast=node_bcast --
exit $failed
