#!/bin/sh
# `strata tune calls` writes a table of the fastest algorithms, and programs take its choices: where it is named, and
# where it lies in the user's folder. A wrong table is told once, and does not count.
#   tuned.sh STRATA CALLS CROSSED RECORDED LENGTHS LAUNCHER...     tests/mpi/test_api_collectives.c and
#                                       test_crossed_communicators.c, tests/preload/recorded.c and lengths.c
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 calls=$2 crossed=$3 recorded=$4 lengths=$5
shift 5
temporary_folder
cd "$folder"
export STRATA_TOPO=node:2 STRATA_MACHINE=cluster STRATA_TUNED="$folder/table" STRATA_THREADS=1
unset STRATA_SETTINGS

# What is timed is written, and what was there stays.
rm -f table
expect 0 "^strata tune: bcast of 4 KiB: [a-z]" "$@" -n 4 "$strata" tune calls --minutes 0.02 --collectives bcast,barrier --bytes 8,4K --out table
expect 0 "^command = strata tune calls --minutes 0.02, 4 ranks on 2 nodes" cat table
[ "$(grep -cE '^(bcast 2x2x1 (8|4096)|barrier 2x2x1 0) = [a-z_]+(:[a-z_=,0-9]+)? [0-9.e-]+ [0-9.e-]+ [0-9.e-]+$' table)" -eq 3 ] || { cat table; fail "not three rows"; }
expect 0 "^strata tune: 1 case is left out: blocks of more than 64 MiB together$" "$@" -n 4 "$strata" tune calls --minutes 0.02 --collectives allgather --bytes 8,32M --out table
[ "$(grep -cE '^(bcast 2x2x1 (8|4096)|barrier 2x2x1 0|allgather 2x2x1 8) = ' table)" -eq 4 ] || { cat table; fail "not four rows"; }
expect 0 "^[0-9] of 4 cases change; in the geometric mean" "$strata" tune show table
expect 0 "^barrier +2x2x1 +0 " "$strata" tune show table --page page.svg
[ "$(grep -c 'class="native" cx="[0-9]' page.svg)" -eq 5 ] || fail "not all rows are drawn" # one in the legend
! command -v python3 >/dev/null || python3 -c "import xml.dom.minidom; xml.dom.minidom.parse('page.svg')" || fail "the page is no XML"

# A further launch has to agree with what stands there. Here it cannot: no table may say so for a short bcast, and what
# has lost once does not come back.
sed -e 's/^bcast 2x2x1 8 = .*/bcast 2x2x1 8 = long_vector launches=2/' -e 's/^barrier 2x2x1 0 = .*/barrier 2x2x1 0 = auto/' table >further
expect 0 "^strata tune: bcast of 8 B: .*; an earlier race found otherwise, so the table says auto" "$@" -n 4 "$strata" tune calls --minutes 0.02 --collectives bcast,barrier --bytes 8 --out further
[ "$(grep -cE '^(bcast 2x2x1 8 = auto( [0-9.e-]+){3}|barrier 2x2x1 0 = auto( [0-9.e-]+){3}( launches=2)?)$' further)" -eq 2 ] || { cat further; fail "launches that do not agree"; }
[ "$(grep -cE '^(bcast 2x2x1 4096|allgather 2x2x1 8) = ' further)" -eq 2 ] || { cat further; fail "other rows do not stay"; }

# Blocks of different lengths, and ranks with threads, are known by their lines.
expect 0 "^strata tune: alltoallv of 4 KiB, power_law: " "$@" -n 8 env STRATA_THREADS=2 "$strata" tune calls --minutes 0.03 --collectives alltoallv,reduce_scatter,bcast --bytes 4K --pattern hot_receiver,power_law,sparse --out blocks
[ "$(grep -cE '^alltoallv 2x4x2 [0-9]+ (uneven|sparse) = ' blocks)" -eq 3 ] || { cat blocks; fail "not three rows of an alltoallv"; }
grep -qE '^reduce_scatter 2x4x2 512 uneven = ' blocks || { cat blocks; fail "no row of a reduce_scatter"; }
grep -qE '^bcast 2x4x2 4096 = ' blocks || { cat blocks; fail "no row of a bcast, whose blocks have one length"; }
expect 0 "^strata tune: 1 case is left out: less than a byte in the mean block" "$@" -n 8 "$strata" tune calls --minutes 0.01 --collectives alltoallv --bytes 4 --pattern hot_receiver --out /dev/null
expect 0 "^alltoallv +2x4x2 +[0-9]+ uneven " "$strata" tune show blocks

# What a program calls. The records tell it, and their calls alone are timed.
mkdir records
expect 1 "records: no record there holds a collective of all ranks" "$@" -n 4 "$strata" tune calls --for records --out own
expect 1 "nowhere: No such file" "$@" -n 4 "$strata" tune calls --for nowhere --out own
if ls "$(dirname "$strata")"/libstrata_record_*.so >said 2>&1; then
    expect 0 "all right" "$@" -n 4 "$strata" run --record=keep:"$folder/records" -- "$recorded" kept 1 20 1
    expect 0 "^strata tune: allreduce of 8 B: " "$@" -n 4 "$strata" tune calls --minutes 0.02 --for records --out own
    expect 0 "^allreduce 2x2x1 8 = " cat own

    # Lists of lengths are timed as the pattern that is nearest.
    for each in "few;sparse;sparse;for 1 other at most" "hot;hot_receiver;uneven;of which a rank receives 8 times as much"; do
        IFS=';' read -r name nearest kind why <<END
$each
END
        mkdir "$name"
        expect 0 "all right" "$@" -n 8 "$strata" run --record=keep:"$folder/$name" -- "$lengths" "$name" 20
        expect 0 "^strata tune: the record's alltoallv has blocks of 1 KiB in the mean and 8 KiB at most, $why: timed as $nearest up to " "$@" -n 8 "$strata" tune calls --minutes 0.01 --for "$name" --out own
        expect 0 "^alltoallv 2x4x1 1024 $kind = " cat own
    done
fi

# Where it cannot be read it is told before anything is timed; what is no file is written where it is.
expect 0 "^barrier 2x2x1 0 = " "$@" -n 4 "$strata" tune calls --minutes 0.01 --collectives barrier --out /dev/stdout
: >empty
expect 0 "^strata tune: barrier of 0 B: " "$@" -n 4 "$strata" tune calls --minutes 0.01 --collectives barrier,barrier --bytes 8,8 --out empty
expect 0 "^[01] of 1 cases change" "$strata" tune show empty

# Choices that costs would not make, in all collectives: the table decides, and results are right, of one rank, too.
cat >table <<'END'
host = n
date = d
mpi = m
command = by hand
alltoall 2x2 64 = pairwise
alltoallv 2x2 64 = sloav
allgather 2x2 64 = ring
allgatherv 2x2 64 = native
bcast 2x2 64 = knomial
gather 2x2 64 = binomial
scatter 2x2 64 = native
reduce 2x2 64 = native
allreduce 2x2 64 = ring
allreduce 2x2 8K = rabenseifner
reduce_scatter 2x2 64 = ring
scan 2x2 64 = native
barrier 2x2 0 = native
end
END
expect 0 "^[0-9]+ calls right" "$@" -n 4 "$calls" --calls 1
expect 0 "^[0-9]+ calls right" "$@" -n 1 "$calls" --calls 1
expect 0 "^13 choices of a table that was timed" "$@" -n 4 "$strata" info
expect 0 "all right" "$@" -n 4 env STRATA_EXPLAIN=calls "$strata" run -- "$recorded" none 0 200 1
grep -qE "^strata: +allreduce .* ring; the table of STRATA_TUNED says so" said || { cat said; fail "the table does not decide"; }
expect 0 "^all right" "$@" -n 4 "$crossed"

# The user's table is for real nodes: emulated ones choose everywhere alike.
mkdir -p home/.config/strata
sed 's/2x2/1x4/' table >home/.config/strata/tuned
unset STRATA_TUNED
export HOME="$folder/home" XDG_CONFIG_HOME=
expect 0 "^prices on" "$@" -n 4 "$strata" info
! grep -q "choices of a table" said || fail "emulated nodes take the user's table"
expect 0 "^[0-9]+ calls right" "$@" -n 4 "$calls" --calls 1
unset STRATA_TOPO
expect 0 "^13 choices of a table that was timed" "$@" -n 4 "$strata" info
expect 0 "^[0-9]+ calls right" "$@" -n 4 "$calls" --calls 1
export STRATA_TUNED=none
expect 0 "^prices on" "$@" -n 4 "$strata" info
! grep -q "choices of a table" said || fail "none takes the user's table"

# A table that is wrong.
unset STRATA_TUNED
echo "bcast 1x4 8 = brick" >home/.config/strata/tuned
expect 0 "^strata: the table of STRATA_TUNED does not count: $folder/home/.config/strata/tuned: line 1: \"brick\" is no algorithm of bcast" "$@" -n 4 "$strata" info
[ "$(grep -c 'does not count' said)" -eq 1 ] || { cat said; fail "that is said twice"; }
export STRATA_TUNED="$folder/nowhere"
expect 0 "^strata: the table of STRATA_TUNED does not count: $folder/nowhere: .*No such file" "$@" -n 4 "$strata" info
export STRATA_STRICT=1
got=0
"$@" -n 4 "$calls" --calls 1 >said 2>&1 || got=$?
[ "$got" -ne 0 ] && grep -q "nowhere" said || { cat said; fail "a strict program goes on"; }
unset STRATA_STRICT
echo "no table" >kept
expect 1 "line 1: \"no\" is no collective.*; its rows would be lost" "$@" -n 2 "$strata" tune calls --minutes 0.01 --collectives barrier --out kept
expect 0 "^no table$" cat kept
expect 1 "cannot write \"$folder/none/table\": No such file" "$@" -n 2 "$strata" tune calls --minutes 0.01 --collectives barrier --out "$folder/none/table"
exit $failed
