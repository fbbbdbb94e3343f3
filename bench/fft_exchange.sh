#!/bin/sh
# The exchanges of NAS FT as rows of a table (docs/fft.md): Strata's, MPI's and FFTW's own, in turn in one run, on 8
# ranks in slabs.
#
#   fft_exchange.sh BUILD                 over four emulated nodes; BUILD is build/openmpi or alike
#   fft_exchange.sh BUILD LAUNCHER...     over the hosts of the launcher, which gets the program and its options:
#                                         mpirun.openmpi --hostfile FILE -n 8
#
# CLASSES='S W' in the environment selects classes; S W A by default. RUNS=N sets the runs of each, instead of 21, 11
# and 5. Times are milliseconds for each transform of the field: medians over the runs of the mean over the ranks. An
# idle machine of two cores needs about two minutes.
set -eu

if [ ! -x "${1:-}/fft" ]; then
    echo "fft_exchange.sh: no program fft in '${1:-}'; usage: fft_exchange.sh BUILD [LAUNCHER...], such as build/openmpi" >&2
    exit 2
fi
build=$1
shift
cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if [ $# -eq 0 ]; then
    export STRATA_TOPO=node:4
    # shellcheck disable=SC2046 # words
    set -- "$(cache MPIEXEC_EXECUTABLE)" $(cache STRATA_MPIRUN_OPTIONS) -n 8
fi
output=$(mktemp)
trap 'rm -f "$output"' EXIT
trap 'exit 130' HUP INT TERM

runs_of() {
    case $1 in
    S) echo 21 ;;
    W) echo 11 ;;
    *) echo 5 ;;
    esac
}

# A report -> a row for each transpose. The sum over the first transform and the iterations is divided.
rows() {
    awk -v class="$1" '
        /^NAS FT/ { transforms = $5 + 1 }
        $3 ~ /^[0-9.]+$/ && $6 ~ /^[0-9.]+$/ && NF > 6 {
            packing[$1, $2] = $5 / transforms * 1e3
            exchange[$1, $2] = $6 / transforms * 1e3
        }
        $1 == "fftw" && $3 == "own" { own = ($6 + $7) / transforms * 1e3 }
        / \/ strata, / {
            split($0, half, ": ")
            what = (/mpi \/ strata/ ? "mpi" : "fftw") (/packed:/ ? "pack" : "datatype")
            ratio[what] = half[2]
            sub(/median of [0-9]+ runs, /, "", ratio[what])
            sub(/ to /, "..", ratio[what])
        }
        END {
            for (t = 1; t <= 2; t++) {
                how = t == 1 ? "pack" : "datatype"
                printf "| %s | %s | %.2f | %.2f | %.2f | %s |", class,
                       t == 1 ? "packed" : "datatypes", packing["strata", how],
                       exchange["strata", how], exchange["mpi", how], ratio["mpi" how]
                if (own) printf " %.2f | %s |\n", own, ratio["fftw" how]
                else print " | |"
            }
        }' "$output"
}

echo "| class | transpose | packing, ms | Strata, ms | MPI, ms | MPI / Strata | FFTW with packing, ms | FFTW / Strata with packing |"
echo "|---|---|---|---|---|---|---|---|"
for class in ${CLASSES:-S W A}; do
    "$@" "$build/fft" --class "$class" --grid 8x1 --exchange all --transpose both \
        --repeat "${RUNS:-$(runs_of "$class")}" </dev/null >"$output" 2>&1 || {
        cat "$output" >&2
        exit 1
    }
    rows "$class"
done
