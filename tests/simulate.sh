#!/bin/sh
# strata simulate as users run it.
#
#   simulate.sh STRATA CASE     one of the functions below, with _ in place of spaces
#
# Exits 77 where there is no build for simulated clusters.
set -eu
. "$(dirname "$0")/functions.sh"

strata=$1
temporary_folder

if [ ! -f "$(dirname "$strata")/../smpi/simulate" ]; then
    echo "there is no build/smpi: cmake --preset smpi && cmake --build --preset smpi"
    exit 77
fi

simulate() {
    "$strata" simulate "$@" --csv
}

# field N of the last line, of a file
field() {
    tail -n 1 "$2" | cut -d , -f "$1"
}

# Every collective, ours compared with MPI's own byte for byte: one rank on a node less, and full nodes.
collective() {
    collective=$1
    shift
    for methods in "$@"; do
        simulate "$collective" --platform smoky --ranks 7 --ranks-per-node 3 --calls 1 --bytes 13 \
            --methods "$methods"
        simulate "$collective" --platform cervino --ranks 16 --ranks-per-node 4 --calls 1 --bytes 64 \
            --mapping cyclic --methods "$methods"
    done
}

rows_of_alltoallv() {
    collective alltoallv auto "leaders:leaders=1,radix=2;leaders:leaders=4,radix=3;sloav;tuna;pairwise"
    simulate alltoallv --platform smoky --ranks 16 --ranks-per-node 4 --calls 1 --bytes 8,5000 \
        --pattern uniform --methods "auto;leaders:leaders=2,tree=2;linear;basic"
    simulate alltoallv --platform smoky --ranks 64 --ranks-per-node 4 --calls 1 --bytes 64 --pattern sparse >"$folder/sparse"
    grep -Eq "^alltoallv,auto,sparse,.*,(linear|pairwise):" "$folder/sparse" || fail "not from rank to rank: $(cat "$folder/sparse")"
}

rows_of_alltoall() {
    collective alltoall auto sloav
    collective alltoallw auto
}

rows_of_allgather() {
    collective allgather "auto;sparbit;ring;node_allgather:between=sparbit;locality_bruck"
    collective allgatherv "auto;bruck"
}

rows_of_trees() {
    collective bcast "auto;binomial;pipeline"
    simulate bcast --platform smoky --ranks 4 --calls 2 --bytes 20000 --methods "auto;node_bcast:segment=1"
    simulate bcast --platform smoky --ranks 8 --ranks-per-node 2 --bytes 20000 \
        --methods "auto;node_bcast:between=binomial"
    collective gather "auto;binomial"
    collective gatherv "auto;binomial"
    collective scatter "auto;binomial"
    collective scatterv "auto;binomial"
}

rows_of_reductions() {
    collective reduce "auto;binomial"
    collective allreduce "auto;recursive_doubling;rabenseifner"
    simulate allreduce --platform smoky --ranks 4 --calls 2 --bytes 20000 \
        --methods "auto;node_allreduce:segment=1;dpml:leaders=2,segment=1"
    simulate allreduce --platform smoky --ranks 8 --ranks-per-node 2 --bytes 20000 \
        --methods "auto;dpml:leaders=2,between=rabenseifner"
    collective reduce_scatter "auto;ring"
    collective reduce_scatter_block auto
    collective scan auto
    collective exscan auto
    collective barrier "auto;dissemination"
    simulate barrier --platform smoky --ranks 8 --ranks-per-node 2 --methods node_barrier
}

same_figures_twice() {
    for i in 1 2; do
        simulate alltoallv --platform dragonfly --ranks 24 --ranks-per-node 4 --bytes 8,300 \
            --pattern uniform --methods auto,sloav,mpich >"$folder/$i"
    done
    cat "$folder/1"
    cmp "$folder/1" "$folder/2"
}

# The first ranks to return must not be in the way of the others with what they do next.
verification_costs_nothing() {
    for verify in yes no; do
        simulate scan --platform yahoo --ranks 32 --bytes 4096 --methods doubling_scan \
            --verify $verify >"$folder/$verify"
    done
    cat "$folder/yes"
    cmp "$folder/yes" "$folder/no"
}

# A platform whose copies are free, and one where each takes a microsecond.
copies_take_time() {
    platform=$("$strata" list platforms >/dev/null && dirname "$0")/../sim/platforms/smoky.xml
    for block in 0 8e-9 1e-6; do
        sed "s/id=\"copy_block\" value=\"[^\"]*\"/id=\"copy_block\" value=\"$block\"/" "$platform" \
            >"$folder/p.xml"
        simulate alltoallv --platform "$folder/p.xml" --ranks 16 --ranks-per-node 4 --calls 1 \
            --methods leaders:leaders=1,radix=2 >"$folder/$block"
        field 9 "$folder/$block"
    done
    # copy in, two rounds of packing and copy out: at least 3 x 16 pieces one after another
    awk -v free="$(field 9 "$folder/0")" -v usual="$(field 9 "$folder/8e-9")" \
        -v dear="$(field 9 "$folder/1e-6")" \
        'BEGIN { exit !(free < usual && dear - free > 32e-6 && dear - free < 500e-6) }' ||
        fail "the times do not follow the price of a piece"
}

# 16 ranks send 256 messages to the other node. Its adapter takes one each microsecond, ours and MPI's.
shared_adapter() {
    for platform in smoky smoky:adapter=1e-6; do
        simulate alltoallv --platform $platform --ranks 32 --calls 1 --methods "linear:window=4;mpich" >"$folder/$platform"
        tail -n 2 "$folder/$platform"
    done
    awk -F, 'FNR == 1 { file++; next } { t = $8 }
        file == 1 && t > 60e-6 || file == 2 && !(t > 255e-6 && t < 265e-6) { wrong = 1 }
        END { exit wrong }' "$folder/smoky" "$folder/smoky:adapter=1e-6" || fail "not the times of 256 messages"
}

every_platform() {
    "$strata" list platforms >"$folder/list"
    names=$(sed -n 's/^\([a-z_]*\) .* hosts x .*/\1/p' "$folder/list")
    [ "$(echo "$names" | wc -l)" -ge 7 ] || fail "fewer platforms than there should be: $names"
    for name in $names; do
        simulate allgather --platform "$name" --ranks 5 --ranks-per-node 1 --calls 1 --methods bruck \
            --verify no >"$folder/$name"
        tail -n 1 "$folder/$name"
        # 8-byte blocks to 5 nodes: above 0.5 us and below half a millisecond anywhere
        awk -v t="$(field 8 "$folder/$name")" 'BEGIN { exit !(t > 5e-7 && t < 5e-4) }' ||
            fail "$name: not a time for 8 bytes"
    done
}

# Round a ring of 8 ranks on 4 nodes, 7 times: every second neighbour is on another node, or each is.
mapping() {
    set -- allgather --platform smoky --ranks 8 --ranks-per-node 2 --calls 1 --methods ring
    simulate "$@" --mapping sequential >"$folder/sequential"
    simulate "$@" --mapping cyclic >"$folder/cyclic"
    tail -n 1 "$folder/sequential" "$folder/cyclic"
    [ "$(field 9 "$folder/sequential")" = 28 ] || fail "sequential: 4 ranks send 7 messages each"
    [ "$(field 9 "$folder/cyclic")" = 56 ] || fail "cyclic: 8 ranks send 7 messages each"
}

is_sort() {
    simulate is_sort --class S --platform smoky --ranks 16 --ranks-per-node 4 >"$folder/sort"
    cat "$folder/sort"
    grep -q '^is_sort,strata,S,4,16,sequential,0\.00[0-9]*,[0-9.]*,0\.000[0-9]*$' "$folder/sort"
    grep -q '^is_sort,mpi,S,4,16,sequential,0\.00[0-9]*,[0-9]' "$folder/sort"
}

# Four ranks on each of two nodes, in slabs, and 128 ranks, which need pencils.
fft() {
    [ -f "$(dirname "$strata")/../smpi/fft" ] || exit 77 # there is no FFTW
    simulate fft --class S --platform smoky --ranks 8 --ranks-per-node 4 --methods strata,leaders:leaders=1,mpi,mvapich2 \
        >"$folder/slabs"
    cat "$folder/slabs"
    [ "$(grep -cE '^fft,.*,S,2,8,sequential,0\.0[0-9]+,,0\.00[0-9]+$' "$folder/slabs")" = 4 ] || fail "not four times"
    [ "$(field 7 "$folder/slabs")" != "$(sed -n 2p "$folder/slabs" | cut -d , -f 7)" ] || fail "MPI and Strata take the same time"
    simulate fft --platform smoky --ranks 128 --methods strata | grep '^fft,strata,S,8,128,'
}

# platform NAME VALUE FILE: smoky with another value of a property.
platform() {
    sed "s/id=\"$1\" value=\"[^\"]*\"/id=\"$1\" value=\"$2\"/" "$(dirname "$0")/../sim/platforms/smoky.xml" >"$folder/$3.xml"
}

# Four threads compute what one does in about a quarter of the time. They help Strata's exchange, and not MPI's. Each
# parallel region opens a team: an iteration of is_sort has two, and ten are timed.
threads_share_work() {
    platform team 0 free
    platform team 1e-3 dear
    for app in is_sort fft; do
        [ -f "$(dirname "$strata")/../smpi/$app" ] || continue # there is no FFTW
        for run in free,1 free,4 dear,1 dear,4; do
            simulate $app --class W --platform "$folder/${run%,*}.xml" --ranks 4 --ranks-per-node 2 --threads "${run#*,}" \
                --methods strata,mpi >"$folder/$app.$run"
            tail -n 2 "$folder/$app.$run"
        done
        cmp "$folder/$app.free,1" "$folder/$app.dear,1" || fail "$app: one thread opens a team"
        for method in 1 2; do # Strata's exchange and MPI's
            for run in free,1 free,4 dear,4; do
                sed -n "$((method + 1))p" "$folder/$app.$run"
            done | awk -F, -v ours=$((method == 1)) '{ rest[NR] = $7 - $9; exchange[NR] = $9 }
                END { exit !(rest[2] > 0.25 * rest[1] && rest[2] < 0.29 * rest[1] &&
                             (ours ? exchange[2] < exchange[1] : exchange[2] == exchange[1])) }' ||
                fail "$app: four threads do not compute in a quarter of the time, or do not help Strata alone"
        done
    done
    awk -v free="$(field 7 "$folder/is_sort.free,4")" -v dear="$(field 7 "$folder/is_sort.dear,4")" \
        'BEGIN { exit !(dear - free > 19.99e-3 && dear - free < 20.01e-3) }' || fail "20 regions do not open 20 teams"
}

# A team is opened for long copies alone, and helps Strata only. A call that opens one though its copies are short takes
# longer: the offers to the helpers take time.
threads_share_copies() {
    for threads in 1 4; do
        set -- --platform smoky --ranks 8 --ranks-per-node 4 --threads $threads --verify yes
        simulate bcast "$@" --bytes 8,1024,1M --methods "node_bcast;mpich" >"$folder/bcast$threads"
        simulate allgather "$@" --bytes 8,512,64K --methods "node_allgather:leaders=4,between=bruck;mpich" >"$folder/allgather$threads"
    done
    for collective in bcast allgather; do
        cat "$folder/${collective}4"
        paste -d , "$folder/${collective}1" "$folder/${collective}4" | sed 's/"[^"]*"/quoted/g' | awk -F, 'NR > 1 { long = NR == 4
            n = NF / 2
            if (long ? $(n + 8) >= 0.97 * $8 : $(n + 8) != $8) { print; wrong = 1 } } END { exit wrong }' ||
            fail "$collective: the team does not serve long calls of Strata alone"
    done
    # A kilobyte by a team that is told to help, where opening one is free and where it takes a millisecond. By itself no
    # call opens one there: a megabyte is copied in less.
    platform team 0 free
    platform team 1e-3 dear
    set -- --ranks 8 --ranks-per-node 4 --methods node_bcast
    for run in free,1 free,4 dear,4; do
        STRATA_TEAM_BYTES=64 simulate bcast "$@" --platform "$folder/${run%,*}.xml" --threads "${run#*,}" --bytes 1024 >"$folder/$run"
        tail -n 1 "$folder/$run"
    done
    awk -v alone="$(field 8 "$folder/free,1")" -v team="$(field 8 "$folder/free,4")" -v dear="$(field 8 "$folder/dear,4")" \
        'BEGIN { exit !(team - alone > 1e-6 && team - alone < 5e-6 && dear - team > 0.99e-3 && dear - team < 1.01e-3) }' ||
        fail "an offer, or a team, costs nothing"
    for threads in 1 4; do
        simulate bcast "$@" --platform "$folder/dear.xml" --threads $threads --bytes 1M >"$folder/dear$threads"
    done
    cmp "$folder/dear1" "$folder/dear4" || fail "a dear team was opened"
}

# FIELD 13 tells how many ranks opened a team in a call, 14 how many pieces of work other threads took.
must_share() {
    expected=$1
    shift
    simulate "$@" --threads 2 --calls 1 --verify yes >"$folder/pieces"
    told=$(tail -n 1 "$folder/pieces" | sed 's/"[^"]*"/quoted/g' | cut -d , -f 13,14)
    [ "$told" = "$expected" ] || fail "$*: teams and pieces $told, not $expected"
}

# A rank's own block, the one message of a leader, and combining are shared. No team is opened for work that its threads would
# not share, such as 4 KiB that a step copies out in an exchange of 8 KiB.
threads_share_pieces() {
    set -- --platform smoky --ranks 4 --ranks-per-node 2
    must_share 4,4 alltoallv "$@" --bytes 256K --methods pairwise
    must_share 4,4 alltoallv "$@" --bytes 256K --methods leaders
    must_share 4,8 allreduce "$@" --bytes 256K --methods rabenseifner
    must_share 0,0 allreduce --platform fat_tree --ranks 8 --ranks-per-node 8 --bytes 16K --methods node_allreduce
    export STRATA_TEAM_BYTES=8192
    must_share 0,0 alltoallv "$@" --bytes 1K --methods leaders:leaders=2,radix=2,tree=1
    must_share 4,12 alltoallv "$@" --bytes 4K --methods leaders:leaders=2,radix=2,tree=1
    must_share 4,4 alltoallv "$@" --bytes 16K --methods leaders:leaders=2,radix=2,tree=1
    unset STRATA_TEAM_BYTES
}

# A root that calls long after the others have begun to wait for the sizes that it tells.
late_root() {
    printf 'node-%d\n' 0 1 2 >"$folder/hosts"
    timeout -k 1 60 smpirun -np 3 -platform "$(dirname "$0")/tools/two_links.xml" -hostfile "$folder/hosts" \
        --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf --cfg=smpi/test:0 \
        --log=root.thres:error "$(dirname "$strata")/../smpi/late_root" >"$folder/said" 2>&1 ||
        fail "the ranks stand still, or had an error"
    cat "$folder/said"
    grep -q '^all right$' "$folder/said" || fail "the root has not got all blocks"
}

# Waiting for a call's messages one by one takes the same simulated time as SimGrid's own way.
waits() {
    printf '#!/bin/sh\necho "$LD_PRELOAD" >>"%s/preloaded"\nexec "%s" "$@"\n' "$folder" "$(command -v smpirun)" >"$folder/smpirun"
    chmod +x "$folder/smpirun"
    PATH=$folder:$PATH
    unset LD_PRELOAD
    simulate barrier --platform yahoo --ranks 2 --methods mpich # where a receipt takes time
    ! grep libstrata_waits "$folder/preloaded" || fail "yahoo has other waits"
    for platform in smoky smoky:adapter; do
        for methods in basic ompi; do
            set -- alltoallv --platform "$platform" --ranks 32 --ranks-per-node 16 --bytes 2000 --pattern uniform \
                --methods "$methods" --calls 1
            simulate "$@" | tail -n 1 >"$folder/ours"
            [ "$(grep -c "smpi/libstrata_waits.so$" "$folder/preloaded")" = 1 ] || fail "nothing was preloaded: $(cat "$folder/preloaded")"
            LD_PRELOAD=libm.so.6 simulate "$@" | tail -n 1 >"$folder/simgrids"
            : >"$folder/preloaded"
            cmp "$folder/ours" "$folder/simgrids" || fail "$(cat "$folder/ours" "$folder/simgrids")"
        done
    done
    nm -D --defined-only "$(dirname "$strata")/../smpi/libstrata_waits.so" >"$folder/names"
    nm -D --defined-only "$(ldd "$(dirname "$strata")/../smpi/simulate" | awk '/libsimgrid/ { print $3 }')" >"$folder/all"
    name=$(grep -o '[^ ]*Request7waitall[^ ]*' "$folder/names")
    for each in "$name" _ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status; do
        grep -q " $each\$" "$folder/all" || fail "this SimGrid has no $each"
    done
}

# Interrupted, it ends smpirun, removes its files and ends by the signal. A stand-in for smpirun says
# where its files are.
interruption() {
    mkdir "$folder/bin"
    printf '#!/bin/sh\necho "$*" >"%s/words"\necho $$ >"%s/new"\nmv "%s/new" "%s/pid"\nexec sleep 100\n' \
        "$folder" "$folder" "$folder" "$folder" >"$folder/bin/smpirun"
    chmod +x "$folder/bin/smpirun"
    PATH="$folder/bin:$PATH" "$strata" simulate bcast --platform smoky --ranks 4 --methods mpich &
    command=$!
    for _ in $(seq 300); do
        [ -f "$folder/pid" ] && break
        sleep 0.1
    done
    hosts=$(sed 's/.*-hostfile \([^ ]*\).*/\1/' "$folder/words")
    [ -f "$hosts" ] || fail "no list of hosts: $hosts"
    kill -TERM $command
    code=0
    wait $command || code=$?
    [ $code = 143 ] || fail "exit code $code, not that of the signal"
    [ ! -e "$(dirname "$hosts")" ] || fail "$hosts is still there"
    if kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
        fail "smpirun goes on"
    fi
}

# Every case of splitting, by methods that serve some of them; and two that 128 ranks tell apart.
split() {
    simulate split --platform fat_tree --ranks 24 --ranks-per-node 8 --groups 3 \
        --methods MPI_Comm_split,allgather_mpi,radix,hash,cheng:items=128 \
        --cases reorder,split-few-5,split-many-0,both-few-80 >"$folder/split" 2>"$folder/said"
    cat "$folder/split" "$folder/said"
    grep -q 'hash does not serve reorder$' "$folder/said"
    grep -q 'radix does not serve both-few-80$' "$folder/said"
    [ "$(wc -l <"$folder/split")" = 18 ] || fail "not the 17 lines of 5 methods and 4 cases"
    grep -q '^radix,split-many-0,0,int,none,3,24,sequential,[1-9]' "$folder/split"
    grep -q '^hash,both-few-80,3,text:80,random,3,24,sequential,[1-9]' "$folder/split"
    awk -F, 'NR > 1 && !($9 > 5e-6 && $9 < 5e-4) { exit 1 }' "$folder/split" || fail "not times for 24 ranks"
    simulate split --platform fat_tree --ranks 128 --methods MPI_Comm_split,allgather_group \
        --cases reorder >"$folder/split"
    cat "$folder/split"
    awk -F, '{ t[$1] = $9 } END { exit !(t["MPI_Comm_split"] > t["allgather_group"] && t["allgather_group"] > 0) }' \
        "$folder/split" || fail "128 messages to one rank are faster than 7 rounds"
}

# A program that is not there, and one that fails.
allocator() {
    needs_jemalloc || exit 77
    smpirun_that_tells_of_jemalloc
    simulate barrier --platform smoky --ranks 4 --calls 1 --methods auto,mpich
    on_jemalloc 2
}

failures() {
    if simulate alltoallv --platform smoky --ranks 4 --program "$folder/none" 2>"$folder/said"; then
        fail "a missing program went unnoticed"
    fi
    grep -q 'cmake --preset smpi' "$folder/said"
    if simulate alltoallv --platform smoky --ranks 4 --methods mpi:none 2>"$folder/said"; then
        fail "an algorithm that SimGrid does not have went unnoticed"
    fi
    grep -q 'simulation of mpi:none failed' "$folder/said"
}

"$2"
exit $failed
