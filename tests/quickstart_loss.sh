#!/bin/sh
# The end of `quickstart.sh run`, with invented times: a loss comes with its reason, and with a page that has more.
set -eu
. "$(dirname "$0")/functions.sh"
quickstart=$(cd "$(dirname "$0")/.." && pwd)/quickstart.sh
temporary_folder
cd "$folder"
mkdir -p build/openmpi build/mpich
# What the table is made by, and nothing that is run.
for function in say place field gain; do
    sed -n -e "/^$function() {.*}$/p" -e "/^$function() {$/,/^}/p" "$quickstart"
done >functions
. ./functions

# sorted MPI NODES RATIO
sorted() {
    printf '  "%s": %s,\n' exchange_seconds 0.25 exchange_ratio_mpi_to_strata "$3" messages_between_nodes 3 bytes_between_nodes 4e6 \
        messages_inside_nodes 5 bytes_copied 6e6 >"build/$1/is_sort-$2.json"
}
for mpi in openmpi mpich; do
    sorted $mpi 1 1.02
    sorted $mpi 4 1.30
done
expect 0 '^mpich +4 emulated nodes +250.0 +1.30   3 messages, 4 MB; 5; 6 MB' gain
! grep -q '^Below' said || fail "a loss is told of where there is none"
sorted openmpi 4 0.62
expect 0 '^Below 1 on emulated nodes: .*messages' gain
[ "$(grep -c '^Below' said)" -eq 1 ] || fail "the reason of another loss"
sorted mpich 1 0.97
expect 0 '^Below 1 on the machine as it is: ' gain
for page in $(sed -n 's/.*; \(docs[^,]*\), \(.*\)\.$/\1#\2/p' said | tr ' ' _); do
    grep -q "^## $(echo "${page#*#}" | tr _ ' ')$" "${quickstart%/*}/${page%%#*}" || fail "there is no $page"
    pages=${pages-}+
done
[ "${pages-}" = ++ ] || fail "not a page for each of two losses"
exit $failed
