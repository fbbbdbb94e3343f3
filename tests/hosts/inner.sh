#!/bin/sh
# `strata tune machine` measures messages between two ranks of a node over each distance that hwloc tells of, programs
# take their prices, and `strata info` prints them.
#   hosts.sh run --ranks 5,1 --mpi none -- inner.sh MPIEXEC STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
mpiexec=$1 strata=$2
unset HWLOC_COMPONENTS
# tells MACHINE LINE...: the line of each distance, from the nearest on, up to the pair.
tells() {
    export HWLOC_SYNTHETIC="$1"
    shift
    "$mpiexec" -n 6 "$strata" tune machine --seconds 0.1 --out "$folder/machine" || fail "$HWLOC_SYNTHETIC"
    sed -n '/^# the least that two ranks of a node share;/,/^# mess/s/^#   \([a-z].*\)/\1/p' "$folder/machine" |
        sed 's/ \([0-9]* and [0-9]*\)  .*/ \1/' >"$folder/found"
    printf '%s\n' "$@" >"$folder/wanted"
    diff "$folder/wanted" "$folder/found" >&2 || fail "$HWLOC_SYNTHETIC: < wanted, > found"
}
tells 'package:2 l3:2 core:2 pu:1' 'core     not measured: no core has several hardware threads' 'cache    1  0 and 1' \
    'domain   1  0 and 2' 'package  not measured: no package has several NUMA domains' 'apart    1  0 and 4'
# Other work may make more bytes seem to take no longer: then that line says so. The prices of the others are there.
for distance in cache domain apart; do
    left=$(grep -c "^#   $distance .*  left out: " "$folder/machine" || true)
    told=$(grep -c "^[a-z_]*_$distance = [0-9]" "$folder/machine" || true)
    case $left:$told in 1:0 | 0:7) ;; *) fail "$distance: $told prices, $left times left out" ;; esac
done
sed -i '/^[a-z_]*_\(cache\|domain\|apart\) = /d' "$folder/machine"
sed -i 's/^end$/alpha_cache = 0.25\nbeta_cache = 0.125\nbeta_apart = 0.5\nend/' "$folder/machine"
STRATA_MACHINE=$folder/machine "$mpiexec" -n 6 "$strata" info >"$folder/said"
for line in 'a last-level cache *0.25[0-9]* s, 0.125 s a byte$' \
    "a NUMA domain * .* s, .* s a byte: as any, for no price of its own is known; the file's comments tell why\$" \
    'only their node * .* s, 0.5 s a byte$'; do
    grep "^    $line" "$folder/said" || fail "info: $line"
done
# After the last core comes the first one again, on which rank 4 has the other hardware thread.
tells 'package:2 l3:2 core:1 pu:2' 'core     1  0 and 4' \
    'cache    not measured: no last-level cache has several cores' 'domain   1  0 and 1' \
    'package  not measured: no package has several NUMA domains' 'apart    1  0 and 2'
tells 'numa:2 l3:2 core:1 pu:1' 'core     not measured: no core has several hardware threads' \
    'cache    not measured: no last-level cache has several cores' 'domain   1  0 and 1' 'package  1  0 and 2' \
    'apart    not measured: no node has several packages'
exit $failed
