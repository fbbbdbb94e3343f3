#!/bin/sh
# NAS FT by fft over ranks, threads, slabs and pencils, and layouts of emulated nodes. In every run all
# exchanges and both transposes take turns, and each must verify.
#
#   fft_classes.sh BUILD [CLASS...]    BUILD is build/openmpi or alike; S W A by default, B on 4 ranks
#
# A line for each run; exit 1 if any failed. Two cores need about two minutes for S and W, and a
# quarter of an hour for each larger class.
set -eu

build=$1
shift
[ $# -gt 0 ] || set -- S W A
cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
launcher=$(cache MPIEXEC_EXECUTABLE)
options=
[ "$(cache STRATA_MPI)" != openmpi ] || options='--oversubscribe --bind-to none --mca mpi_yield_when_idle 1'
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
runs=0 failed=0

# run CLASS RANKS THREADS GRID TOPOLOGY
run() {
    runs=$((runs + 1))
    state=verified
    # shellcheck disable=SC2086
    STRATA_TOPO=$5 "$launcher" $options -n "$2" "$build/fft" --class "$1" --threads "$3" --grid "$4" \
        --exchange all --transpose both </dev/null >"$output" 2>&1 || state=FAILED
    [ "$(grep -c 'VERIFICATION SUCCESSFUL' "$output")" -ge 4 ] || state=FAILED
    echo "class $1, $2 ranks, $3 threads, grid $4, nodes '$5': $state," \
        "$(grep -c 'VERIFICATION SUCCESSFUL' "$output") ways"
    [ $state = verified ] || {
        failed=$((failed + 1))
        cat "$output"
    }
}

# The layouts take turns: equal nodes, ranks dealt in turn, unequal nodes.
layout() {
    case $((runs % 3)) in
    0) echo "node:$((($1 + 1) / 2))" ;;
    1) echo "node:2:cyclic" ;;
    2) echo "node:$(($1 - 1)),1" ;;
    esac
}

pencils() {
    case $1 in
    1) ;;
    4) echo 2x2 ;;
    6) echo 2x3 ;;
    8) echo 4x2 ;;
    9) echo 3x3 ;;
    *) echo "1x$1" ;;
    esac
}

for class in "$@"; do
    ranks='1 2 3 4 5 6 7 8 9'
    case $class in B | C) ranks=4 ;; esac
    for n in $ranks; do
        for threads in 1 2; do
            for grid in "${n}x1" $(pencils "$n"); do
                [ "$n" -eq 1 ] && nodes='' || nodes=$(layout "$n")
                run "$class" "$n" "$threads" "$grid" "$nodes"
            done
        done
    done
done
echo "$runs runs, $failed failed"
[ $failed -eq 0 ]
