#!/bin/sh
# The long form of the tests with hosts, for developers: the programs of tests/mpi over hosts with unequal numbers of
# ranks, in both orders of ranks, and applications. All rows run, and the script prints the failures at the end.
#
#   tests/hosts/long.sh build/openmpi               about 3 minutes on an idle machine of two cores
#   tests/hosts/long.sh build/mpich arena           rows that match the expression
set -u
. "$(dirname "$0")/../functions.sh"
build=${1:?usage: tests/hosts/long.sh BUILD [EXPRESSION]}
only=${2:-.}
hosts=$(cd "$(dirname "$0")" && pwd)/hosts.sh
mpi=$(setting STRATA_MPI)
mpiexec=$(setting MPIEXEC_EXECUTABLE)
"$hosts" check || exit

# Ranks on each host, order, program, arguments.
rows='
2,1 block tests/mpi_test_random_calls --calls 60
3,1,2 block tests/mpi_test_random_calls --calls 60 --seed 2
2,2 cyclic tests/mpi_test_random_calls --calls 60 --seed 3
1,1,1,1 block tests/mpi_test_random_calls --calls 60 --seed 4
2,1 block tests/mpi_test_api_collectives --calls 1
2,2 cyclic tests/mpi_test_api_collectives --calls 1 --seed 2
3,1,2 block tests/mpi_test_api_collectives --calls 1 --seed 3
2,1 block tests/mpi_test_api_alltoallv
2,2,2 cyclic tests/mpi_test_api_alltoallv
2,2,1 block tests/mpi_test_api_arguments
2,1 block tests/mpi_test_api_budget
2,1,1 block tests/mpi_test_api_columns
2,2 block tests/mpi_test_api_communicators cycles 100
2,2 block tests/mpi_test_api_communicators many 100
3,2,1 block tests/mpi_test_api_communicators groups
2,1 block tests/mpi_test_api_force
2,1,1 block tests/mpi_test_api_lengths
2,2 cyclic tests/mpi_test_api_plans
1,2,1 block tests/mpi_test_api_reductions
1,1 block tests/mpi_test_api_threads
2,1,1 block tests/mpi_test_arena
2,1,1 block tests/mpi_test_spots
2,1,1 block tests/mpi_test_transport
2,2 block tests/mpi_test_wrong_lengths
2,1 block is_sort --class W --exchange both
2,2 cyclic is_sort --class S --exchange both
2,1,1,1 block is_sort --class S --exchange both
2,2 block fft --class S --exchange both --transpose both
1,1,1,1 block fft --class S --grid 2x2 --exchange both
'

temporary_folder
report=$folder/report
wrong=$folder/wrong
printf '%s' "$rows" | grep -e "$only" | while read -r ranks order program arguments; do
    [ -n "$ranks" ] || continue
    began=$(date +%s)
    # shellcheck disable=SC2086 # several words
    timeout 300 "$hosts" run --ranks "$ranks" --order "$order" --mpi "$mpi" --mpiexec "$mpiexec" -- \
        "$build/$program" $arguments >"$report" 2>&1 </dev/null && result=ok || result="FAILED ($?)"
    echo "$result, $(($(date +%s) - began)) s: $program $arguments on $ranks $order"
    [ "$result" = ok ] || { cat "$report" && echo "$program $arguments on $ranks $order" >>"$wrong"; }
done
[ -e "$report" ] || { echo "no row matches '$only'" >&2 && exit 2; }
[ ! -s "$wrong" ] || { echo "failed:" && cat "$wrong" && exit 1; }
