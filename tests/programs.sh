#!/bin/sh
# Unchanged programs under Strata: each gives the same results as on MPI alone. The table shows the cost or gain. For
# Open MPI, with which Debian builds the programs.
#
#   tests/programs.sh fetch              installs them: Debian packages, some hundred MB (as root)
#   tests/programs.sh run [PROGRAM]...   runs all, or these: hpcc, pw.x, lmp, fftw, mpi4py, dolfinx
#
# Each program runs on MPI alone, then under the preload library with the plans that Strata chooses, then with
# node-aware plans forced for all collectives. A line of the table has the time of the whole run, the mean rank's time
# in collectives, and what served rank 0's calls: "bcast 83+603 node_bcast" are 83 calls by plans, the last by
# node_bcast, and 603 by MPI's own. tests/programs/ has the inputs. $PLACES may select places: 4 ranks of 1 thread
# (4x1) or 2 (4x2), two emulated nodes (node:2), two hosts in namespaces (hosts).
set -eu
. "$(dirname "$0")/functions.sh"
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build/openmpi
out=$build/programs
programs="hpcc pw.x lmp fftw mpi4py dolfinx"
packages="hpcc quantum-espresso quantum-espresso-data lammps libfftw3-mpi-dev python3-mpi4py python3-numpy python3-dolfinx
python3-petsc4py"
places=${PLACES:-"4x1 4x2 node:2 hosts"}

# What a program is started by, in a folder of its own that has its input.
command_of() {
    case $1 in
    hpcc) echo hpcc ;;
    pw.x) echo "pw.x -nk 2 -in silicon.in" ;;
    lmp) echo "lmp -log none -in ions.lmp" ;;
    fftw) echo "$out/fftw_mpi" ;;
    mpi4py) echo "/usr/bin/python3 fft_mpi.py" ;;
    dolfinx) echo "/usr/bin/python3 poisson.py" ;;
    esac
}

# Its results, of what it said: words and numbers that do not depend on time. HPCC judges its figures itself.
results_of() {
    case $1 in
    hpcc) grep -E '^(Success|.*_Errors)=|Found [0-9]* errors|PASSED$|tests completed and' hpccoutf.txt | sed 's/.*\.\.\.\.\. //' ;;
    pw.x) grep -E '^!|contribution|convergence has|number of (electrons|iterations)|Total force' said ;;
    lmp) grep -E '^ +[0-9]+ [-0-9.e+ ]+$|atoms$' said | grep -v Loop ;;
    fftw | mpi4py) grep -E 'dimensions:|^step|^ranks' said ;;
    dolfinx) grep '^poisson' said ;;
    esac
}

# Of a number of its results: how far another order of sums may move it, relative. Iterations stop at 1e-10 (pw.x), and
# paths of particles part as time goes on (lmp).
tolerance_of() {
    case $1 in
    pw.x) echo 1e-7 ;;
    lmp) echo 1e-5 ;;
    *) echo 1e-9 ;;
    esac
}

# agree TOLERANCE FILE FILE: the same words, and numbers as near.
agree() {
    awk -v tolerance="$1" '
        function magnitude(x) { return x < 0 ? -x : x }
        NR == FNR { want[FNR] = $0; lines = FNR; next }
        {
            count = split(want[FNR], word)
            bad = FNR > lines || count != NF
            for (i = 1; i <= NF && !bad; i++)
                bad = $i != word[i] && !($i ~ /^-?[0-9]*\.[0-9]/ &&
                    magnitude($i - word[i]) <= tolerance * (1 + magnitude(word[i])))
            if (bad) { print "  " want[FNR] "\n  " $0; differ = 1 }
        }
        END { exit differ || FNR != lines || !lines }' "$2" "$3"
}

forced="STRATA_ALLTOALL=leaders STRATA_ALLTOALLV=leaders STRATA_ALLTOALLW=leaders STRATA_ALLGATHER=node_allgather
STRATA_ALLGATHERV=node_allgather STRATA_BCAST=node_bcast STRATA_GATHER=node_gather STRATA_GATHERV=node_gather
STRATA_SCATTER=node_scatter STRATA_SCATTERV=node_scatter STRATA_REDUCE=dpml STRATA_ALLREDUCE=dpml
STRATA_REDUCE_SCATTER=node_reduce_scatter STRATA_REDUCE_SCATTER_BLOCK=node_reduce_scatter STRATA_SCAN=node_scan
STRATA_EXSCAN=node_scan STRATA_BARRIER=node_barrier"

# start PROGRAM PLACE WAY: in the folder of that run; times go to `total` and `collective`, what it says to `said`.
start() {
    set_here="COLLECTIVE_TIME=$PWD/collective OMP_NUM_THREADS=1 LD_PRELOAD=$out/collective_time.so"
    case $3 in auto | forced) set_here="$set_here:$build/libstrata_preload_openmpi.so STRATA_EXPLAIN=summary" ;; esac
    [ "$3" != forced ] || set_here="$set_here $forced"
    launcher="mpirun.openmpi --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n 4"
    case $2 in
    4x2) set_here="$set_here OMP_NUM_THREADS=2" ;;
    node:2) [ "$3" = plain ] || set_here="$set_here STRATA_TOPO=node:2" ;;
    hosts) launcher="$source/tests/hosts/hosts.sh run --hosts 2 --ranks 2 --mpi openmpi --" ;;
    esac
    begin=$(date +%s%N)
    # shellcheck disable=SC2046,SC2086 # words
    timeout 300 $launcher env $set_here $(command_of "$1") >said 2>&1 || return 1
    echo $((($(date +%s%N) - begin) / 1000000)) >total
}

served() {
    awk '/^strata: calls of rank 0/ { here = 1; next }
        here && /^strata: [a-z_]+ +[0-9]+ +[0-9]+ / {
            sub(/:.*/, "", $7)
            printf "%s%s %s%s", comma, $2, ($4 > 0 ? $3 "+" $4 : $3), ($3 > 0 ? " " $7 : "")
            comma = ", "
        }' said
}

# unserved PROGRAM: collectives that a run with all forced made often, and no plan served. pw.x calls gatherv on
# communicators of one rank only.
unserved() {
    awk -v program="$1" '
        /^strata: calls of rank 0/ { here = 1; next }
        here && /^strata: [a-z_]+ +[0-9]+ +[0-9]+ / && $3 == 0 && $4 > 20 && program $2 != "pw.xgatherv" { print $2 }' said
}

milliseconds() { awk '{ printf "%.2f", $1 / 1000 }' total; }

# run_one PROGRAM PLACE: a line of the table for each way.
run_one() {
    for way in plain auto forced; do
        here=$out/$1-$2-$way
        empty_folder "$here"
        cp "$source"/tests/programs/*.* "$here"
        cd "$here"
        start "$1" "$2" $way || { tail -n 20 said; fail "$1 on $2, $way: it ended with an error"; continue; }
        results_of "$1" >results
        if [ $way = plain ]; then
            plain=$(cat total) plain_collective=$(cat collective)
            printf '| %s | %s | MPI alone | %s | %s | | |\n' "$1" "$2" "$(milliseconds)" "$(cat collective)"
            [ -s results ] || fail "$1 on $2: it printed no results"
            continue
        fi
        agree "$(tolerance_of "$1")" "../$1-$2-plain/results" results || fail "$1 on $2, $way: other results than on MPI alone"
        [ $way = auto ] || [ -z "$(unserved "$1")" ] || fail "$1 on $2: forced, but by MPI's own: $(unserved "$1" | tr '\n' ' ')"
        printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$2" $way "$(milliseconds)" "$(cat collective)" \
            "$(awk -v a="$plain" -v b="$plain_collective" '
                NR == 1 { t = $1 } NR == 2 { printf "%.2f, %.2f", a / t, b / ($1 > 0 ? $1 : 0.001) }' total collective)" \
            "$(served)"
    done
}

case ${1:-} in
fetch)
    # shellcheck disable=SC2086 # words
    DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $packages
    ;;
run)
    shift
    for program in hpcc pw.x lmp; do
        command -v $program >/dev/null || { echo "programs: there is no $program; tests/programs.sh fetch" >&2; exit 2; }
    done
    [ -f "$build/libstrata_preload_openmpi.so" ] || { echo "programs: ./quickstart.sh build first" >&2; exit 2; }
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export XDG_CACHE_HOME="$out/compiled" # what dolfinx compiles
    mkdir -p "$out"
    mpicc.openmpi -O2 -o "$out/fftw_mpi" "$source/tests/programs/fftw_mpi.c" -lfftw3_mpi -lfftw3 -lm
    mpicc.openmpi -O2 -shared -fPIC -o "$out/collective_time.so" "$source/tests/programs/collective_time.c" -ldl
    # shellcheck disable=SC2086 # words
    [ $# -gt 0 ] || set -- $programs
    echo "| program | place | by | s | s in collectives | MPI alone / this: whole, collectives | served on rank 0 |"
    echo "|---|---|---|---|---|---|---|"
    for program in "$@"; do
        for place in $places; do
            run_one "$program" "$place"
        done
    done
    exit $failed
    ;;
*)
    sed -n "2,/^set/s/^# *//p" "$0"
    exit 2
    ;;
esac
