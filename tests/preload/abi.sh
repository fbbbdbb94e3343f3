#!/bin/sh
# abi.sh MPIS STRATA LIBRARY PROGRAM BUILDS MPIRUN...: under each of these MPIs by the standard ABI, the same preload
# library serves the same program, and names the MPI. The command of Open MPI, or of MPICH, takes that library where it
# lies beside its own, and says otherwise that its own does not fit. BUILDS is the folder of all builds.
set -eu
. "$(dirname "$0")/../functions.sh"
mpis=$1 strata=$2 library=$3 program=$4 builds=$5
shift 5
temporary_folder
cd "$folder"
others=
for mpi in $mpis; do
    export STRATA_TEST_MPI="$mpi"
    case $mpi in openmpi) name='Open MPI v' ;; *) name='MPICH ' ;; esac
    expect 0 "^strata: the MPI is $name[^ ]* by the standard ABI [0-9]" "$@" -n 2 "$strata" run --report -- "$program"
    for kind in openmpi mpich; do
        command=$builds/$kind/strata.$kind own=libstrata_preload_$kind.so
        [ -x "$command" ] && [ -e "$builds/$kind/$own" ] || continue
        others="$others $kind"
        mkdir -p "$folder/$kind" "$folder/$kind.alone"
        cp "$command" "$builds/$kind/$own" "$library" "$folder/$kind"
        cp "$command" "$builds/$kind/$own" "$folder/$kind.alone"
        expect 0 "^strata: the MPI is $name" "$@" -n 2 "$folder/$kind/strata.$kind" run --report -- "$program"
        expect 0 "^strata: $own is for .*, and this program uses $name[^ ]* by the standard ABI .*; MPI's own collectives are used" \
            "$@" -n 2 "$folder/$kind.alone/strata.$kind" run -- "$program"
        expect 1 "STRATA_STRICT=1 ends it" "$@" -n 1 "$folder/$kind.alone/strata.$kind" run --strict -- "$program"
    done
done
echo "one file, $(sha256sum "$library"), served: $mpis; commands beside it:${others:- none is built}"
[ $failed -ne 0 ] || [ -n "$others" ] || exit 77
exit $failed
