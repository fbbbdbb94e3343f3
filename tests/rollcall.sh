#!/bin/sh
# Writes the table of docs/recorder.md: faults that were tried, and what `strata rollcall` said of them.
#
#   tests/rollcall.sh [--write] FIRST LAST BUILD...
#
# Each kind of fault is tried with the seeds from FIRST to LAST on 2 to 16 ranks of each build, in C and, where the build
# has that, in Fortran: in turn under plans, under plans over emulated nodes, and with the recorder alone. Every eighth
# seed runs over two hosts, too, where hosts can be made. --write puts the table into docs/recorder.md in place of the
# one there. What is not right goes to standard error, with what was said.
set -eu
. "$(dirname "$0")/functions.sh"
here=$(cd "$(dirname "$0")" && pwd)
write=
[ "${1:-}" != --write ] || { write=1; shift; }
[ $# -gt 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
first=$1 last=$2
shift 2
temporary_folder
export MOST_RANKS=15 WAYS="plans nodes direct" TALLY="$folder/tally"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_PLUGINS_PATH=/nonexistent HWLOC_COMPONENTS=-linux:0x18
in_c="missing loop stopped killed finalize collective root operator type count order communicator wait test started mixed lengths neighbors crossed recv waitall cycle unsent quiet"
in_fortran="missing collective root operator type count communicator recv"
seen_by_hosts="missing finalize collective root operator type count order communicator wait crossed"

# try FORM PROGRAM SOURCE SEEDS FAULTS LAUNCHER...: adds the fault's lines to the tally, with the form behind it.
try() {
    form=$1
    shift
    : >"$TALLY"
    "$here/preload/rollcall.sh" "$build/strata" "$@" || fail "$form: $*"
    sed "s/ /$form|$mpi /" "$TALLY" >>"$folder/all"
}

for build in "$@"; do
    build=$(realpath "$build")
    mpi=$(setting STRATA_MPI)
    mpiexec="$(setting MPIEXEC_EXECUTABLE) $(setting STRATA_MPIRUN_OPTIONS)"
    programs=$build/tests/preload
    [ ! -e "$build/tests/libyield_mpich.so" ] || export LD_PRELOAD="$build/tests/libyield_mpich.so"
    for seed in $(seq "$first" "$last"); do
        # shellcheck disable=SC2086 # words
        try "" "$build/tests/preload_recorded" "$here/preload/recorded.c" "$seed" "$in_c" $mpiexec
        if [ -e "$programs/recorded_fortran" ]; then
            sites=
            [ "$mpi" != mpich ] || sites=none # which has them in its own library
            # shellcheck disable=SC2086 # words
            SITES=$sites try ", Fortran" "$programs/recorded_fortran" "$here/preload/recorded_fortran.f90" "$seed" "$in_fortran" $mpiexec
        fi
        if [ $((seed % 8)) -eq 0 ] && "$here/hosts/hosts.sh" check; then
            HOSTS=1 WAYS="plans direct" try ", two hosts" "$build/tests/preload_recorded" "$here/preload/recorded.c" "$seed" "$seen_by_hosts" \
                "$here/hosts/hosts.sh" run --mpi "$mpi" --mpiexec "$(setting MPIEXEC_EXECUTABLE)"
        fi
    done
    unset LD_PRELOAD
done
{
    echo "| fault | MPI | tried | named | wrong | not named |"
    echo "|---|---|---|---|---|---|"
    awk '{ n = $NF; kind = $0; sub(/ [a-z]+$/, "", kind); if (!(kind in tried)) order[++kinds] = kind
           tried[kind]++; count[kind, n]++ }
         END { for (i = 1; i <= kinds; i++) { k = order[i]; name = k; sub(/\|/, " | ", name)
               print "| " name " | " tried[k] " | " count[k, "named"] + 0 " | " count[k, "wrong"] + 0 " | " count[k, "unnamed"] + 0 " |" } }' "$folder/all"
} >"$folder/table"
give_table ${write:+"$here/../docs/recorder.md"}
exit $failed
