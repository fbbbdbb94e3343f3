#!/bin/sh
# bench/peers.sh keeps whole reports, leaves out what an MPI lacks, goes on after a failure, and names the best.
#   peers.sh BUILD
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$tests/functions.sh"
build=$1
temporary_folder
cd "$folder" || exit 1

cat >table <<'END'
# name | MPI | versions | where | settings | what it is
plain | openmpi | 1.0 | any | | as it is
plain | mpich | 1.0 | any | | as it is
broken | openmpi | 1.0 | any | BENCHMARK_OUT_FORMAT=xml | does not start
broken | mpich | 1.0 | any | BENCHMARK_OUT_FORMAT=xml | does not start
lacking | openmpi | 1.0 | any | OMPI_MCA_coll_none_priority=100 | no such component
lacking | mpich | 1.0 | any | MPIR_CVAR_NONE=1 | no such variable
later | openmpi | 99.1 | any | | not yet
later | mpich | 99.1 | any | | not yet
END
peers() { "$tests/../bench/peers.sh" --table table --out out --places 2 --collective bcast,barrier,allgather --most 31 --batches 1 --seconds 0.0001 "$@" "$build"; }
says() { grep -qE -e "$1" said || { cat said; fail "no line says \"$1\""; }; }

expect 0 '^2 .* plain: about [0-9]+ s$' peers --bytes 8 --peer plain
says '^1 launches: about 1 minutes$'
says '^2 .* plain: [0-9]+ s; about [0-9]+ minutes left$'
says '^bcast +8 +[0-9.]+ .*\([0-9.]+ to [0-9.]+\) .* plain'
! grep -q '^allgather' said || fail "a call that brings more than --most was measured"
grep -q '^collective,bytes,best of .*:low,.*:high,.*:by,A/A$' out/peers-2.csv || fail "no table for the page"

# A whole report is not measured again, a part of one is, and so is another run.
expect 0 '^2 .* plain: there$' peers --bytes 8 --peer plain
says '^0 launches'
expect 0 '^1 launches' peers --bytes 8,64 --peer plain --plan
for report in out/2/*/plain.csv; do mv "$report" "${report%.csv}.part"; done
expect 1 '^2 .* plain: [0-9]+ s; ' peers --bytes 8
says 'broken: failed with 2, see out/2/.*/broken[.]log: .*BENCHMARK_OUT_FORMAT=xml'
says '^2 .* lacking: left out: this MPI has no (coll_none_priority|MPIR_CVAR_NONE)$'
says '^2 .* later: left out: needs version 99[.]1$'
expect 77 'nothing was measured' peers --bytes 8 --peer later

# The best is the one with the least ratio, and losses stand first.
mkdir -p made/4x2/some-1.0
head='name,iterations,real_time,cpu_time,label,error_occurred,error_message,"by_plan","mpi_us","ratio","ratio_high","ratio_low","same"'
printf '%s\n' 'mpi: Some MPI v1.0' 'machine: 2 x One Processor (rank 0'"'"'s)' "$head" \
    '"bcast/equal/8/auto",20,2,0,"a:b=1,c=2",,,1,4,2.0,2.1,1.9,1.0' '"scan/equal/8/auto",20,2,0,"native (a, b)",,,0,2,1.0,1.1,0.95,1.0' \
    '"gather/equal/8/auto",20,2,0,"a",,,1,3,1.5,1.6,1.4,1.0' >made/4x2/some-1.0/first.csv
printf '%s\n' 'mpi: Some MPI v1.0' 'machine: 2 x One Processor (rank 0'"'"'s)' "$head" \
    '"bcast/equal/8/auto",20,2,0,"a",,,1,1,0.5,0.89,0.4,1.2' '"scan/equal/8/auto",20,2,0,"a",,,1,4,2.0,2.1,1.9,1.0' \
    '"gather/equal/8/auto",,,,,true,"WRONG: x, y",,,,,,' >made/4x2/some-1.0/second.csv
for form in text csv; do
    awk -v form=$form -v command=measured -f "$tests/../bench/peers.awk" made/4x2/some-1.0/*.csv >made/$form || fail "no $form"
done
cat >made/right <<'END'
bcast,8,0.50,0.40,0.89,second,1.20
scan,8,1.00,0.95,1.10,first native,1.00
gather,8,1.50,1.40,1.60,first,1.00
END
grep -v '^#' made/csv | tail -n +2 | cmp - made/right || { cat made/csv; fail "another table"; }
grep -qx '# geometric mean beside the best 0.91; beside first 1.44, second 1.00' made/text &&
    grep -qx '# 1 of 3 cells lose: the interval lies below 0.9. 1 are native in the launch of the best' made/text &&
    grep -qx '# not measured: second:gather,8' made/text || { cat made/text; fail "another judgement"; }
exit $failed
