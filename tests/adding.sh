#!/bin/sh
# adding.sh SOURCE FOLDER: does what docs/adding-an-algorithm.md says, in a copy of the sources: one
# file and one row, nothing else, and the new algorithm is listed, planned, proved and run, among all
# ranks and between nodes.
set -eu
. "$(dirname "$0")/functions.sh"
source=$1
copy=$2/copy
page=$source/docs/adding-an-algorithm.md
empty_folder "$copy"
at_exit 'rm -rf "$copy"'
(cd "$source" && tar -cf - --exclude=./build --exclude=./.git .) | (cd "$copy" && tar -xf -)

# The page's first block of C is the file, its second one the row.
block() {
    awk -v wanted="$1" '/^```c$/ { n++; inside = n == wanted; next } /^```$/ { inside = 0 } inside' "$page"
}
block 1 >"$copy/internode/allgather/direct_allgather.c"
block 2 | tr -d ' ' | grep -qx 'ROW(direct_allgather)'
sed -i '/^    ROW(pairwise)/i\    ROW(direct_allgather) \\' "$copy/internode/algorithms.h"

cmake -S "$copy" -B "$copy/build" -G Ninja -DSTRATA_MPI=off -DSTRATA_WERROR=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$copy/build" -j 2 --target strata_tool sim_test_virtual_blocks hier_test_catalogue \
    hier_test_formulas hier_test_node_allgather >/dev/null
strata=$copy/build/strata-nompi
"$strata" list allgather | grep -qx direct_allgather
"$strata" plan allgather --algo direct_allgather --topo "node:4 rank:13" | grep '^proof *right on all 13 ranks'
"$strata" list allgather | grep '^  between .* direct_allgather'
"$strata" plan allgather --algo node_allgather:between=direct_allgather --topo "node:4 rank:13" >"$copy/plan"
grep '^  algorithm *node_allgather:.*between=direct_allgather' "$copy/plan"
grep '^proof *right on all 13 ranks' "$copy/plan"
"$copy/build/tests/hier_test_node_allgather" >"$copy/between"
grep '^between=direct_allgather: run' "$copy/between"
STRATA_TEST_ROW=direct_allgather STRATA_TEST_SEEDS=0,100 "$copy/build/tests/sim_test_virtual_blocks"
STRATA_TEST_ROW=direct_allgather "$copy/build/tests/hier_test_catalogue"
STRATA_TEST_ROW=direct_allgather "$copy/build/tests/hier_test_formulas"
