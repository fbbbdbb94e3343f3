#!/bin/sh
# Replays against executions: the same calls by `strata simulate` and by `strata replay`, as a table.
# Fails where the two times of a row differ by more than PERCENT.
#
#   replay_agrees.sh STRATA PERCENT short|all
#
# Needs smpirun and the simulated program, build/smpi/simulate (cmake --preset smpi); without them it
# says so and exits 77.
set -eu
. "$(dirname "$0")/functions.sh"

strata=$1 percent=$2 which=$3
if ! command -v smpirun >/dev/null; then
    echo "smpirun is not installed: nothing was compared" >&2
    exit 77
fi
if [ ! -x "$(dirname "$strata")/../smpi/simulate" ]; then
    echo "build/smpi/simulate is not built: nothing was compared" >&2
    exit 77
fi

# Seconds of the line that a command prints as CSV.
seconds() {
    "$strata" "$@" --csv | sed 's/"[^"]*"/quoted/g' |
        awk -F, 'NR == 1 { while ($++at != "seconds" && at <= NF) { } } NR == 2 { print $at }'
}

# compare PLATFORM RANKS RANKS_PER_NODE BYTES COLLECTIVE METHOD...
compare() {
    platform=$1 ranks=$2 each=$3 bytes=$4 collective=$5
    shift 5
    for method; do
        executed=$(seconds simulate "$collective" --platform "$platform" --ranks "$ranks" \
            --ranks-per-node "$each" --bytes "$bytes" --methods "$method" --pattern fixed --calls 1 \
            --verify no)
        replayed=$(seconds replay "$collective" --platform "$platform" --ranks "$ranks" \
            --ranks-per-node "$each" --bytes "$bytes" --algo "$method")
        awk -v executed="$executed" -v replayed="$replayed" -v percent="$percent" \
            -v row="$platform|$ranks on $((ranks / each))|$collective|$method|$bytes" 'BEGIN {
                off = executed > 0 ? 100 * (replayed / executed - 1) : 100
                split(row, f, "|")
                printf "| %s | %s | %s | `%s` | %d | %.2f | %.2f | %+.1f %% |\n", f[1], f[2], f[3],
                    f[4], f[5], 1e6 * executed, 1e6 * replayed, off
                exit !(off <= percent && off >= -percent)
            }' || failed=1
    done
}

echo "| platform | ranks on nodes | collective | algorithm | bytes | executed, us | replayed, us | difference |"
echo "|---|---|---|---|---|---|---|---|"
compare smoky 32 16 8 alltoallv leaders:leaders=2,radix=2,tree=1
compare smoky 32 16 512 allgather node_allgather:leaders=1,between=bruck,tree=1
compare smoky 32 16 4096 allreduce rabenseifner
if [ "$which" = all ]; then
    for bytes in 8 512; do
        for platform in smoky jaguar fat_tree dragonfly yahoo; do
            compare $platform 64 8 $bytes alltoallv leaders:leaders=1,radix=2,tree=1 \
                leaders:leaders=4,radix=3,tree=2 sloav:radix=2 pairwise:window=4
        done
        compare smoky 64 16 $bytes alltoall bruck_index:radix=2 linear:window=8
        compare smoky 64 16 $bytes allgather ring bruck:radix=2 sparbit:blocks=together
        compare fat_tree 64 16 $bytes bcast binomial pipeline:segments=16
        compare fat_tree 64 16 $bytes reduce_scatter recursive_halving
        compare jaguar 64 16 $bytes gather binomial
        compare jaguar 64 16 $bytes scan doubling_scan
    done
    compare bluegene 64 1 64 alltoallv sloav:radix=2
    compare smoky 64 16 65536 bcast binomial pipeline:segments=16
    compare smoky 64 16 65536 allgather ring
    compare fat_tree 64 16 65536 alltoallv pairwise:window=4
fi
exit $failed
