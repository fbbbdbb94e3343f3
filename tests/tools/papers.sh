#!/bin/sh
# The judgements of the studies of papers on invented points: shares of a map, drops, formulas, gains.
#
#   papers.sh STRATA FOLDER     FOLDER is emptied first
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 folder=$2
empty_folder "$folder"
cd "$folder"
at_exit 'cd / && rm -rf "$folder"'

# verdict STUDY PATTERN: a line of what `strata report` says; without gnuplot, for pictures take time.
mkdir empty
verdict() { expect 0 "$2" env PATH="$folder/empty" "$strata" report "$1"; }

# A point with what it gave.
row() {
    echo "$1"
    echo "# done $(echo "$1" | cut -d, -f1) 0.1 made up"
}

# map MAPPING WON: ten cells of Yahoo, of which Sparbit wins so many, by half; bruck wins the others, by a fifth.
map() {
    for ranks in 8 16 32 64 128 13 29 61 93 125; do
        won=$2
        [ "${cell:=0}" -lt "$won" ] && sparbit=0.5 || sparbit=2
        cell=$((cell + 1))
        for method in sparbit:blocks=apart,$sparbit bruck:radix=2,1 ring,1.25; do
            row "$1-$ranks-${method%%[:,]*},5,yahoo,$1,${method%,*},replayed,1024,16,$ranks,${method#*,},1,1,,,,,,"
        done
    done
    cell=0
}
# hosts MAPPING BYTES LEAST MEDIAN GREATEST: Sparbit's times on hosts, where those of bruck are 4, in spite of wide bounds.
hosts() {
    row "hosts-$1-$2-sparbit,hosts,,$1,sparbit:blocks=apart,timed,$2,4,8,$4,,,$3,$5,$4,$4,$4,0"
    for method in bruck:radix=2,4 ring,9 neighbor_exchange,9 recursive_doubling,9; do
        time=${method#*,}
        row "hosts-$1-$2-${method%%[:,]*},hosts,,$1,${method%,*},timed,$2,4,8,$time,,,$time,$time,$time,$time,$time,0"
    done
}
sparbit() {
    mkdir -p "$1"
    {
        echo "# run: made up for a test"
        echo "point,figure,platform,mapping,method,how,bytes,nodes,ranks,seconds,messages_between,bytes_between,seconds_low,seconds_high,in_turn,in_turn_low,in_turn_high,not_ours"
        map sequential "$2"
        map cyclic "$3"
        hosts sequential 8 2 2 2
        hosts sequential 64 2 2 5
        hosts sequential 512 2 5 5
        hosts cyclic 8 3 3 3
        hosts cyclic 64 3 3 3 | sed '/,sparbit:/s/,0$/,0.9/' # a disturbed row: the cell does not count
    } >"$1/sparbit.csv"
}
sparbit right 5 2
verdict right 'agrees +Figure 5 \(a\), section V: 50.00 % \(5 of 10 cells\), there faster by 50.0 % on average'
verdict right 'agrees +Figure 5 \(b\), section V: 20.00 %'
verdict right 'agrees +Figure 5 \(a\) and \(b\): from 50.00 % of 10 cells to 20.00 % of 10'
verdict right 'DISAGREES +Section V, where Bruck and Recursive Doubling are best: 0.00 % \(0 of the 5 cells'
verdict right 'not measured +Figure 5 \(c\)'
verdict right 'DISAGREES +Figure 5 \(a\), section V, on hosts: 66.67 % \(2 of 3 cells\), there faster by 50.0 % on average, median 50.0 %, at most 50.0 %$'
verdict right 'DISAGREES +Figure 5 \(b\), section V, on hosts: 100.00 % \(1 of 1 cells\), there faster by 25.0 % on average, median 25.0 %, at most 25.0 %$'
verdict right 'agrees +Table I, sequential, on hosts: 33.33 % \(1 of 3 cells; least best in 3, median in 2, greatest in 1\)'
verdict right 'agrees +Table I, section V, on hosts: 100.00 % \(1 of 1 cells'
verdict right 'DISAGREES +Table I, cyclic, on hosts: 100.00 % \(1 of 1'
verdict right 'agrees +Table II, Yahoo, on hosts: means of least, median, greatest: 50.00, 50.00, 50.00 against 25.00, 25.00, 25.00'
grep -q 'sequential, seconds_low: 3 of 3 cells, gain least 50.00, mean 50.00, median 50.00, most 50.00 %' right/report.html ||
    fail "the page lacks table II of hosts"
sparbit wrong 2 5
verdict wrong 'DISAGREES +Figure 5 \(a\), section V: 20.00 % \(2 of 10 cells\)'
verdict wrong 'DISAGREES +Figure 5 \(b\), section V: 50.00 %'
verdict wrong 'DISAGREES +Figure 5 \(a\) and \(b\): from 20.00 % of 10 cells to 50.00 % of 10'
# Just inside and just outside 10 points of 46.43 %.
sparbit edge 4 2
verdict edge 'agrees +Figure 5 \(a\), section V: 40.00 %'
sparbit edge 6 2
verdict edge 'DISAGREES +Figure 5 \(a\), section V: 60.00 %'

# torus ROUNDS BYTES NEW OLD [COMBINED]: stages of a tree on 3x3x3, the volume of a ring, table 2, and, of table 1, what
# ranks combine in a reduce by a tree and in an allreduce by buckets.
torus() {
    mkdir -p torus
    {
        echo "# run: made up for a test"
        echo "point,figure,collective,method,algorithm,family,torus,total,bytes,nodes,ranks,ranks_per_node,rounds,messages,at_once,longest_bytes,combined_bytes,seconds,seconds_low,seconds_high,messages_between,bytes_between"
        row "a,counts,bcast,mst-old,x,mst,3x3x3,,2400,27,27,,$1,26,6,0,,,,,,"
        row "b,counts,allgather,bucket-old,x,buc,3x3x3,,2400,27,27,,26,702,1,$2,,,,,,"
        row "c,table-1,allreduce,bucket-new,x,bucket,3x3x3,,2700,27,27,,12,702,3,3600,${5:-2600},,,,,"
        row "d,table-1,reduce,mst-new,x,tree,3x3x3,,2700,27,27,,2,26,6,5400,${5:-32400},,,,,"
        for total in 1048576 2097152 4194304; do
            row "n$total,table-2,bcast,bucket-new,x,,8x8x8,$total,$total,512,512,,,,,,,$3,,,1,1"
            row "o$total,table-2,bcast,bucket-old,x,,8x8x8,$total,$total,512,512,,,,,,,$4,,,1,1"
        done
    } >torus/torus.csv
}
torus 5 62400 1 1.25
verdict torus 'agrees +Section 4.1.1: equal to ceil\(log2 p\) at 1 of 1 points'
verdict torus 'agrees +Section 4.2.1: equal to \(p-1\)/p n at 1 of 1'
verdict torus 'agrees +Table 2, broadcast .*: 20.0 % on average'
verdict torus 'agrees +Section 5.2.4: the largest gain is 1.25, at 3 lengths'
verdict torus 'agrees +Table 1, latency: at least ceil\(log_\(2N\+1\) p\) at 2 of 2'
verdict torus 'agrees +Table 1, bandwidth: at least .* at 2 of 2'
verdict torus 'agrees +Table 1, section 4.2.4, allreduce: equal to \(p-1\)/p n at 1 of 1'
verdict torus 'agrees +Table 1, computation: at least .* at 2 of 2'
torus 6 62399 1 3.5 2599
verdict torus 'DISAGREES +Section 4.1.1: equal to ceil\(log2 p\) at 0 of 1 points'
verdict torus 'DISAGREES +Section 4.2.1: equal to \(p-1\)/p n at 0 of 1'
verdict torus 'DISAGREES +Table 1, section 4.2.4, allreduce: equal to'
verdict torus 'DISAGREES +Table 1, computation: at least .* at 0 of 2'
verdict torus 'DISAGREES +Section 5.2.4: the largest gain is 3.50'

# alltoall BYTES COPIED LOW BUSY: of Bruck's index algorithm on 8 ranks, at most 3 * 4 blocks sent and 8 + 24 + 16 copied.
alltoall() {
    mkdir -p alltoall
    {
        echo "# run: made up for a test"
        echo "point,figure,collective,method,algorithm,elements,bytes,nodes,ranks,rounds,rank_messages,rank_bytes,rank_copied,seconds,seconds_low,seconds_high,in_turn,in_turn_low,in_turn_high,messages_between,bytes_between,not_ours"
        row "a,counts,alltoall,index,x,,64,8,8,3,3,$1,$2,,,,,,,,,"
        row "tindex,times,alltoall,index,x,16,,,8,,,,,2e-6,,,2,$3,2.1,,,$4"
        row "tmpi,times,alltoall,mpi,x,16,,,8,,,,,1e-6,,,1,1,1,,,$4"
    } >alltoall/alltoall.csv
}
alltoall 768 3072 1.9 0
verdict alltoall 'agrees +Section II-A: at most ceil\(log2 P\) ceil\(P/2\) n at 1 of 1 points; 1 to 1 times'
verdict alltoall 'agrees +Section II-A: at most P \+ 2'
verdict alltoall 'agrees +Section V, table XIII: 100.00 % \(1 of 1 cells\), there faster by 50.0 %'
! grep -q 'left out' said || fail "calm rows are left out"
alltoall 832 3136 1.9 0
verdict alltoall 'DISAGREES +Section II-A: at most ceil\(log2 P\) ceil\(P/2\) n at 0 of 1'
verdict alltoall 'DISAGREES +Section II-A: at most P \+ 2'

# Where the interval of the ratio holds 1 nobody wins; where other programs took the machine nothing is judged.
alltoall 768 3072 0.9 0
verdict alltoall 'not judged +Section V, table XIII'
alltoall 768 3072 1.9 0.11
verdict alltoall '2 of 3 rows are left out of the judging'
grep -qE '^  not measured +Section V, table XIII' said || fail "a disturbed row is judged"
grep -q '2 of 3 rows are left out' alltoall/report.html || fail "the page does not say that rows are left out"
grep -q '<dt>in_turn_low</dt><dd>the lower bound' alltoall/report.html || fail "the page does not describe the columns"

# split MEMORY: of bitonic sort on 256, 4096 and 65536 ranks, first as log N, then as N; and colours that
# send so many bytes of 100; in simulated time hash is as fast as given, bitonic sort takes 2 ms.
split() {
    mkdir -p split
    {
        echo "# run: made up for a test"
        echo "point,figure,platform,method,ranks,groups,colour,keys,rounds,messages,messages_all,bytes,bytes_all,memory,seconds"
        for point in 256,$1 4096,$2 65536,$3; do
            row "a${point%,*},3,,bitonic,${point%,*},none,int,random,9,9,9,9,9,${point#*,},"
        done
        row "b,4-few-5,,hash,256,16,text:5,none,9,9,9,9,100,9,"
        row "c,4-few-80,,hash,256,16,text:80,none,9,9,9,9,$4,9,"
        for method in hash,$5 bitonic,0.002; do
            row "d-${method%,*},split-few-5,dawn,${method%,*},256,16,text:5,none,,,,,,,${method#*,}"
        done
    } >split/split.csv
}
split 160 240 320 110 0.001
verdict split 'agrees +Section 3.2: memory / \(log N\) grows as N to the 0.00'
verdict split 'agrees +Section 4, figure 4: 1.10 to 1.10 times'
verdict split 'agrees +Figure 4: 50.0 % on average'
verdict split 'not measured +Figure 3, Sierra'
split 160 2560 40960 1000 0.003
verdict split 'DISAGREES +Section 3.2: memory / \(log N\) grows as N to the 0.8'
verdict split 'DISAGREES +Section 4, figure 4: 10.00 to 10.00 times'
verdict split 'DISAGREES +Figure 4: -50.0 % on average'

# libraries OURS OPEN_MPI MPICH: a broadcast of 64 B; one of 8 B is twice as fast as the best library. What did not
# run took no time.
libraries() {
    mkdir -p libraries
    {
        echo "# run: made up for a test"
        echo "point,platform,collective,method,bytes,nodes,ranks,seconds,messages_between,bytes_between"
        while read -r method bytes seconds; do
            row "$method-$bytes,smoky,bcast,$method,$bytes,32,512,$seconds,1,1"
        done <<-cells
		auto 8 1
		ompi 8 2
		mpich 8 4
		mvapich2 8 0
		auto 64 $1
		ompi 64 $2
		mpich 64 $3
		cells
    } >libraries/libraries.csv
}
libraries 2 5 4
verdict libraries 'agrees +What the project asks of smoky: 2.00 in the geometric mean of 2 cells, least 2.00'
verdict libraries 'not measured +What the project asks of fat_tree'
libraries 4 3 5
verdict libraries 'DISAGREES +What the project asks of smoky: 1.22 in .* of 2 cells, least 0.75 \(bcast of 64 B\)'
libraries 4 4 5
verdict libraries 'DISAGREES +What the project asks of smoky: 1.41 in .* of 2 cells, least 1.00'

# recent BINE SECOND LONG MPICH: bytes of a Bine tree in a draw in which a binomial tree sends 300; seconds of TuNA
# with radix 2 for blocks of 8 B, where radix 16 takes 2, and with radix 16 for 512 B, where radix 2 takes 2; of MPICH,
# where Open MPI takes 3.
recent() {
    mkdir -p recent
    {
        echo "# run: made up for a test"
        echo "point,figure,platform,collective,method,algorithm,mapping,draw,pattern,bytes,nodes,ranks,rounds,rank_bytes,messages_between,bytes_between,seconds"
        row "a,bine,,bcast,usual,x,drawn,64-1,,8,4,64,6,8,4,300,"
        row "b,bine,,bcast,bine,x,drawn,64-1,,8,4,64,6,8,4,$1,"
        row "c,circulant,,bcast,circulant,x,,,,8,13,13,$5,8,9,9,"
        while read -r bytes radix seconds; do
            row "t$bytes-$radix,tuna,smoky,alltoallv,tuna:radix=$radix,,,,uniform,$bytes,8,128,,,1,1,$seconds"
        done <<-cells
		8 2 $2
		8 16 2
		512 2 2
		512 16 $3
		cells
        row "u8,tuna,smoky,alltoallv,mpich,,,,uniform,8,8,128,,,1,1,3"
        row "u512,tuna,smoky,alltoallv,mpich,,,,uniform,512,8,128,,,1,1,0"
        row "d,defaults,smoky,bcast,ompi,,,,fixed,8,8,128,,,1,1,3"
        row "e,defaults,smoky,bcast,mpich,,,,fixed,8,8,128,,,1,1,$4"
    } >recent/recent.csv
}
recent 200 1 1 0.5 19
verdict recent 'agrees +De Sensi et al., SC 2025, bcast: 33.3 % on average'
verdict recent 'agrees +De Sensi et al., SC 2025: at most 33.3 %, in 1 draws'
verdict recent 'agrees +Fan et al., arXiv 2411.02581: up to 3.00 times \(bytes 8\), 3.00 in the geometric mean; at 1 of 1'
verdict recent 'agrees +Fan et al., arXiv 2411.02581: fastest are radix 2, radix 16$'
verdict recent 'agrees +Pasqualoni et al., ISC 2026: up to 6.0 times \(bcast of 8 B on smoky, Open MPI\)'
verdict recent 'agrees +Traff, arXiv 2407.18004, bcast: equal to n - 1 \+ ceil\(log2 p\) at 1 of 1'
recent 400 4 3 1 20
verdict recent 'DISAGREES +De Sensi et al., SC 2025, bcast: -33.3 % on average'
verdict recent 'DISAGREES +De Sensi et al., SC 2025: at most -33.3 %'
verdict recent 'agrees +Fan et al., arXiv 2411.02581: up to 1.50 times'
verdict recent 'DISAGREES +Fan et al., arXiv 2411.02581: fastest are radix 16, radix 2$'
verdict recent 'DISAGREES +Pasqualoni et al., ISC 2026: up to 3.0 times'
verdict recent 'DISAGREES +Traff, arXiv 2407.18004, bcast: equal to n - 1 \+ ceil\(log2 p\) at 0 of 1'

# Every column of every study is described.
expect 0 '^ +seconds_low +the least' "$strata" study list
! grep 'no description' said || fail "a column is not described"

# No two lines of a picture are drawn alike, a line under another one is told of, and ticks have units that fit.
if command -v gnuplot >/dev/null; then
    mkdir lines
    {
        sed -n '/^point,/p' split/split.csv
        power=0
        for method in allgather_group gather_scatter bitonic radix hash hash64 cheng:items=128 cheng:items=512 \
            cheng:items=2048 cheng:items=8192 allgather_mpi MPI_Comm_split table; do
            power=$((power + 1))
            case $method in radix) power=$((power - 1)) ;; esac
            for ranks in 16 32; do
                row "l-$method-$ranks,reorder,dawn,$method,$ranks,none,int,random,,,,,,,${ranks}e-$power"
            done
        done
    } >lines/split.csv
    "$strata" report lines >said
    [ "$(grep -c ' pt [0-9].* lc rgb' lines/split-3-dawn.gp)" -eq 13 ] || fail "the picture does not have 13 lines"
    ! grep -o ' pt [0-9].* lc rgb "[^"]*"' lines/split-3-dawn.gp | sort | uniq -d | grep . || fail "two lines are drawn alike"
    grep -q 'title "Bitonic, under Radix"' lines/split-3-dawn.gp || fail "a hidden line is not told of"
    grep 'set ytics' lines/split-3-dawn.gp | grep '"10 us"' | grep -q '"1 s"' || fail "ticks have other units"
    [ "$(grep 'set ytics' lines/split-3-dawn.gp | grep -o '" [0-9]' | wc -l)" -ge 3 ] || fail "an axis has fewer than three ticks"
fi

exit $failed
