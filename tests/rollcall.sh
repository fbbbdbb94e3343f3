#!/bin/sh
# Writes the table of docs/recorder.md: faults that were tried, and what `strata rollcall` said of them.
#
#   tests/rollcall.sh [--write] FIRST LAST CALLS BUILD...
#
# Each seed from FIRST to LAST draws a fault, and with each build the rank that has it among 2 to 6, in every fourth job
# 2 to 16, the right calls before it, and how it runs: under plans, under plans over emulated nodes, or with the recorder
# alone; in C, in Fortran where the build has that, or over two hosts where these can be made. Then jobs of 2 to 6 ranks
# without a fault make CALLS calls with each build, all ranks together, and are looked at while they run. The builds have their turns at the
# same time. --write puts the table into docs/recorder.md in place of the one there. What is not right goes to standard
# error, with what was said.
#   RESULTS=FOLDER  what is tried is added to what earlier runs have left there, and the table is of all of it
set -eu
. "$(dirname "$0")/functions.sh"
here=$(cd "$(dirname "$0")" && pwd)
write=
[ "${1:-}" != --write ] || { write=1; shift; }
[ $# -gt 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
first=$1 last=$2 calls=$3
shift 3
jobs=
temporary_folder
at_exit 'stop; rm -rf "$folder"'
results=${RESULTS:-$folder}
export WAYS="plans nodes direct" QUIET_CALLS=8000
few=5 # ranks that most jobs have beyond two, as starting many takes long
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_PLUGINS_PATH=/nonexistent HWLOC_COMPONENTS=-linux:0x18
in_c="missing loop stopped killed finalize collective root operator type count order communicator wait test started mixed lengths neighbors crossed
      recv waitall cycle any tested beside matched buffered parts exchange across unsent"
in_fortran="missing collective root operator type count communicator recv matched buffered"
by_hosts="missing finalize collective root operator type count order communicator wait crossed"
of_c="$here/preload/recorded.c $here/preload/recorded_messages.c"

# try FORM PROGRAM SOURCES SEED FAULT LAUNCHER...: adds the fault's lines to the tally of the build, with the form behind it.
try() {
    form=$1
    shift
    : >"$TALLY"
    "$here/preload/rollcall.sh" "$build/strata" "$@" || fail "$form: $*"
    sed "s/ /$form|$mpi /" "$TALLY" >>"$results/faults.$mpi"
}

# in_form FORM FAULT...: the faults with the form before them.
in_form() {
    form=$1
    shift
    for fault in "$@"; do
        echo "$form/$fault"
    done
}

# draw SEED WORD...: one of the words.
draw() {
    number=$(($1 * 2654435761 % 4294967296 / 4096))
    shift
    shift $((number % $#))
    echo "$1"
}

# fault SEED: tries what it draws.
fault() {
    # shellcheck disable=SC2086 # words
    drawn=$(draw "$1" $all)
    export MOST_RANKS=$(($1 % 4 ? few : 15))
    fault=${drawn#*/}
    # shellcheck disable=SC2086 # words
    case $drawn in
    c/*) try "" "$build/tests/preload_recorded" "$of_c" "$1" "$fault" $mpiexec ;;
    fortran/*) SITES=$sites try ", Fortran" "$fortran" "$here/preload/recorded_fortran.f90" "$1" "$fault" $mpiexec ;;
    hosts/*) HOSTS=1 WAYS="plans direct" try ", two hosts" "$build/tests/preload_recorded" "$of_c" "$1" "$fault" \
        "$here/hosts/hosts.sh" run --mpi "$mpi" --mpiexec "$(setting MPIEXEC_EXECUTABLE)" ;;
    esac
}

# quiet SEED: a job without a fault. Adds its calls.
quiet() {
    # shellcheck disable=SC2086 # words
    MOST_RANKS=$few try "" "$build/tests/preload_recorded" "$of_c" "$1" quiet $mpiexec
    echo "quiet|$mpi calls $(((2 + $1 % few) * QUIET_CALLS))" >>"$results/faults.$mpi"
    made=$((made + (2 + $1 % few) * QUIET_CALLS))
}

# The faults and the jobs of one build.
tell() {
    mpi=$(setting STRATA_MPI)
    mpiexec="$(setting MPIEXEC_EXECUTABLE) $(setting STRATA_MPIRUN_OPTIONS)"
    fortran=$build/tests/preload/recorded_fortran
    made=0 sites=
    [ "$mpi" != mpich ] || sites=none # of Fortran, which has them in MPICH's library
    [ ! -e "$build/tests/libyield_mpich.so" ] || export LD_PRELOAD="$build/tests/libyield_mpich.so"
    export TALLY="$folder/tally.$mpi"
    # shellcheck disable=SC2086 # words
    all="$(in_form c $in_c) $([ ! -e "$fortran" ] || in_form fortran $in_fortran) $(! "$here/hosts/hosts.sh" check || in_form hosts $by_hosts)"
    for seed in $(seq "$first" "$last"); do
        fault "$seed"
    done
    for seed in $(seq "$first" $((first + calls))); do
        [ "$made" -lt "$calls" ] || break
        quiet "$seed"
    done
    return $failed
}

# stop: ends what the builds run, which ends its own job.
stop() {
    for job in $jobs; do
        # shellcheck disable=SC2046 # several numbers
        kill "$job" $(cat "/proc/$job/task/"*/children) || true
    done 2>/dev/null
}

for build in "$@"; do
    build=$(realpath "$build")
    tell &
    jobs="$jobs $!"
done
for job in $jobs; do
    wait "$job" || failed=1
done
jobs=
{
    echo "| fault | MPI | tried | named | wrong | not named | longest, s |"
    echo "|---|---|---|---|---|---|---|"
    sort -s -t '|' -k 2.1,2.1r -k 1,1 "$results"/faults.* | awk '
        function add(k) { if (!(k in tried)) order[++kinds] = k
            tried[k]++; count[k, verdict]++; if (verdict == "named" && $NF > longest[k]) longest[k] = $NF }
        function row(k, name) { name = k; sub(/\|/, k in made ? ", in " made[k] " calls | " : " | ", name)
            printf("| %s | %d | %d | %d | %d | %.1f |\n", name, tried[k], count[k, "named"], count[k, "wrong"], count[k, "unnamed"], longest[k]) }
        { verdict = $(NF - 1); kind = $0; sub(/ [a-z]+ [-+.0-9e]+$/, "", kind); mpi = kind; sub(/.*\|/, "", mpi) }
        verdict == "calls" { made[kind] += $NF; next }
        { add(kind) }
        kind !~ /^quiet/ { add("all|" mpi) }
        END { for (i = 1; i <= kinds; i++) if (order[i] !~ /^(all|quiet)\|/) row(order[i])
              for (i = 1; i <= kinds; i++) if (order[i] ~ /^(all|quiet)\|/) row(order[i]) }'
} >"$folder/table"
give_table ${write:+"$here/../docs/recorder.md"}
exit $failed
