#!/bin/sh
# NAS FT by fft over ranks, threads, slabs and pencils, and layouts of emulated nodes. In every run all exchanges and
# both transposes take turns, and each must verify.
#
#   fft_classes.sh BUILD [CLASS...]    BUILD is build/openmpi or alike; S W A by default
#
# Every number of ranks runs with 1 and 2 threads, slabs and pencils, and each layout: 98 runs a class, from B on 12
# runs on 4 ranks. Variables of the environment shorten the runs, or continue them:
#
#   RANKS='2 5'      these numbers of ranks only (from class B on: as many as have the memory)
#   LAYOUTS=turns    one layout for each grid, the next one each time, instead of all: 34 runs a class
#   CALLS=FORM       calls of this form: blocking (by default), nonblocking or persistent
#   SECONDS_EACH=N   a run that takes longer has failed; 1800 by default
#
# Prints a line for each run; exit 1 if any failed. Two idle cores need about two minutes for S and W with Open MPI,
# and a quarter of an hour for each larger class with LAYOUTS=turns.
set -eu
. "$(dirname "$0")/functions.sh"

build=$1
shift
[ $# -gt 0 ] || set -- S W A
launcher=$(setting MPIEXEC_EXECUTABLE)
options=$(setting STRATA_MPIRUN_OPTIONS)
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
temporary_folder
output=$folder/output
runs=0

# run CLASS RANKS THREADS GRID TOPOLOGY
run() {
    runs=$((runs + 1))
    state=verified
    # shellcheck disable=SC2086
    STRATA_TOPO=$5 timeout -k 10 "${SECONDS_EACH:-1800}" "$launcher" $options -n "$2" "$build/fft" \
        --class "$1" --threads "$3" --grid "$4" --exchange all --transpose both --calls "${CALLS:-blocking}" \
        </dev/null >"$output" 2>&1 || state=FAILED
    ways=$(grep -c 'VERIFICATION SUCCESSFUL' "$output") || true
    [ "$ways" -ge 4 ] || state=FAILED
    echo "class $1, $2 ranks, $3 threads, grid $4, nodes '$5': $state, $ways ways"
    [ $state = verified ] || {
        failed=$((failed + 1))
        cat "$output"
    }
}

# Nodes of two neighbours, ranks dealt in turn, unequal nodes; one rank is one node.
layouts() {
    [ "$1" -gt 1 ] || {
        echo node:1
        return
    }
    set -- "node:$((($1 + 1) / 2))" node:2:cyclic "node:$(($1 - 1)),1"
    [ "${LAYOUTS:-all}" = all ] || shift $((runs % 3))
    [ "${LAYOUTS:-all}" = all ] || set -- "$1"
    echo "$@"
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
    case $class in B | C | D) ranks=4 ;; esac
    for n in ${RANKS:-$ranks}; do
        for threads in 1 2; do
            for grid in "${n}x1" $(pencils "$n"); do
                for nodes in $(layouts "$n"); do
                    run "$class" "$n" "$threads" "$grid" "$nodes"
                done
            done
        done
    done
done
echo "$runs runs, $failed failed"
[ $failed -eq 0 ]
