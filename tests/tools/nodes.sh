#!/bin/sh
# strata study nodes with real programs: on emulated nodes, under a stand-in for Slurm's srun, and with interruptions.
#
#   nodes.sh STRATA FOLDER MPIRUN...    FOLDER is emptied first
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 folder=$2
shift 2
mpirun=$*
empty_folder "$folder"
mkdir "$folder/bin"
cd "$folder"
runner= # what is still under way
at_exit 'kill -TERM $runner 2>/dev/null || true'

# rows BACKEND METHODS SPLIT: how many there are with a time.
rows() { grep -cE "^is_sort-S-$1-.*,($2),[0-9x]+,$3,[0-9]*,[0-9]+,[0-9.e-]+," results/nodes.csv || true; }
dry_run() { "$strata" study nodes --dry-run "$@"; }
cores=$(nproc)

expect 2 '^strata study: nodes: --total must be a number' "$strata" study nodes --total 0 --output results
expect 2 '^strata study: nodes: --backend must be emulated, hosts, smpi or slurm' "$strata" study nodes --backend cloud --output results
expect 2 '^strata study: "--node" is no option|unknown option "--node"; nodes has .*--total' "$strata" study nodes --node 1 --output results
expect 2 '^strata study: nodes: --app must be is_sort, fft, a collective .* or a program with its path' "$strata" study nodes --app sort --output results
expect 2 '^strata study: nodes: --bytes must be one number' "$strata" study nodes --app bcast --bytes 8,64 --output results
expect 2 '^strata study: nodes: --class must be S, W, A' "$strata" study nodes --class E --output results

expect 2 '^strata study: nodes: --modes must list modes that the app has' dry_run --modes ranks,team,ranks
expect 2 '^strata study: nodes: --modes must list modes that the app has' dry_run --app fft --modes members,parts
expect 2 '^strata study: nodes: --repeats must be a number from 1 to 100' dry_run --repeats 0

# Which cases there are: threads of one rank have modes, repeats come in turn, and the list of nodes is held to.
cases() { dry_run "$@" 2>/dev/null | sed 's/: .*//; s/^is_sort-S-emulated-//' | tr '\n' ' '; }
[ "$(cases --total 2 --repeats 2 --nodes 1)" = "1x1x2-ranks-1 1x1x2-members-1 1x1x2-parts-1 1x2x1-ranks-1 1x1x2-ranks-2 1x1x2-members-2 1x1x2-parts-2 1x2x1-ranks-2 " ] ||
    fail "the cases of two cores are $(cases --total 2 --repeats 2 --nodes 1)"
[ "$(cases --total 6 --repeats 1 --nodes 3,4 --modes members)" = "3x1x2-members-1 " ] || fail "--nodes and --modes are not held to"
expect 0 '^fft-S-emulated-1x1x2-members-1: .*--exchange strata --mode members' dry_run --app fft --total 2 --modes members
[ "$(cases)" = "$(cases --total "$cores")" ] || fail "without --total the study does not split all cores"

# The threads of all ranks are held against the cores.
expect 0 "^is_sort-S-emulated-1x1x$((2 * cores))-ranks-1: env .*OMP_WAIT_POLICY=passive " dry_run --total $((2 * cores)) --nodes 1
grep -q "^strata study: nodes: --total $((2 * cores)) is more than the $cores cores here" said || fail "a crowd is not told of"
case $mpirun in *yield*)
    ! grep -q 'yield_when_idle 0' said || fail "threads outnumber the cores, and ranks do not yield"
    expect 0 'yield_when_idle 0' dry_run --total "$cores"
    ;;
esac
! dry_run --total "$cores" 2>&1 | grep -E 'passive|is more than' || fail "as many threads as cores are a crowd"

# The threads of a rank merge the blocks of a collective.
expect 0 '^alltoallv-64-emulated-1x1x4-ranks-1: .* --bytes 1024 ' dry_run --app alltoallv --total 4
expect 0 '^allgather-1K-emulated-1x1x4-ranks-1: .* --bytes 4096 ' dry_run --app allgather --bytes 1K --total 4
expect 0 '^allreduce-64-emulated-1x1x4-ranks-1: .* --bytes 64 ' dry_run --app allreduce --total 4

# Simulated collectives: by our methods and by those of an MPI that the simulator knows.
expect 0 '^bcast-64-smpi-2x1x1-ranks-strata-1: strata simulate bcast .* --methods auto --csv' "$strata" study nodes \
    --app bcast --backend smpi --total 2 --dry-run
expect 0 '^bcast-64-smpi-2x1x1-ranks-mpi-1: strata simulate bcast .* --methods mpich --csv' "$strata" study nodes \
    --app bcast --backend smpi --total 2 --dry-run

# Threads that share a rank's work are simulated, and merge the blocks of a collective.
expect 0 '^alltoallv-64-smpi-1x2x2-ranks-strata-1: strata simulate alltoallv --bytes 256 --platform smoky --ranks 2 --ranks-per-node 2 --threads 2 --methods auto --csv' \
    dry_run --backend smpi --total 4 --app alltoallv
grep -q '^alltoallv-64-smpi-1x2x2-ranks-mpi-1: .* --threads 2 --methods mpich --csv' said || fail "MPI's ranks have no threads"
expect 0 '^is_sort-S-smpi-2x1x2-ranks-mpi-1: strata simulate is_sort --class S .* --threads 2 --methods mpi --csv' \
    dry_run --backend smpi --total 4
! grep -e '--threads 1 ' said || fail "ranks of one thread are told so"

# Threads as members are endpoints of their own: the rows of ranks with one thread stand for them, too, unless a node has
# too few cores.
empty_folder simulated
expect 0 '^nodes: 12 points' env STAND_IN_LOG="$folder/simulated.log" "$strata" study nodes --backend smpi --platform fat_tree \
    --total 4 --app bcast --program "$(dirname "$0")/stand_in.sh" --output simulated
[ "$(grep -c -- '--platform fat_tree ' simulated.log)" -eq 12 ] || fail "another platform was simulated"
grep -q '^Times are simulated' said && grep -q '^Why is not told\|^Why: beside' said || fail "simulated times are not told of"
for row in strata,1x4x1,1,4,1 strata,1x2x2,1,2,2 mpi,1x1x4,1,1,4 members,1x2x2,1,2,2 members,1x1x4,1,1,4 members,2x1x2,2,1,2 mpi,4x1x1,4,1,1; do
    [ "$(grep -c ",${row%%,*},${row#*,},,1,[0-9.e-]*," simulated/nodes.csv)" -eq 1 ] || fail "not one row of $row"
done

# Killed in the middle: the same command goes on, measures nothing twice and loses nothing.
set -- "$strata" study nodes --backend smpi --platform fat_tree --total 4 --app bcast \
    --program "$(dirname "$0")/stand_in.sh" --output killed
begun() { wc -l <killed.log; }
: >killed.log
STAND_IN_LOG="$folder/killed.log" STAND_IN_SLEEP=0.3 "$@" >said 2>&1 &
runner=$!
for attempt in $(seq 100); do
    [ "$(begun)" -lt 4 ] || break
    sleep 0.05
done
kill -9 $runner
wait $runner 2>/dev/null || true
had=$(grep -c '^# done ' killed/nodes.csv)
[ "$had" -ge 1 ] && [ "$had" -lt 12 ] || fail "$had points were done when it was killed (attempt $attempt)"
: >killed.log
expect 0 "holds $had of 12 points; going on" env STAND_IN_LOG="$folder/killed.log" "$@"
[ "$(begun)" -eq $((12 - had)) ] || fail "$(begun) points were run for the $((12 - had)) that were left"
grep -v '^#' killed/nodes.csv | sort >rows
grep -v '^#' simulated/nodes.csv | sort | cmp - rows || fail "a study that was killed has other rows"
runner=

expect 0 '^fft-W-smpi-4x1x1-ranks-strata-1: strata simulate fft --class W .* --methods strata --csv' dry_run --app fft --class W \
    --backend smpi --total 4
# fft has as many members as slabs, 32 in class W: with 64 no split has any.
for total in 32,2 64,0; do
    expect 0 '^nodes: ' "$strata" study nodes --app fft --class W --backend smpi --total "${total%,*}" --nodes 8 --repeats 1 \
        --program "$(dirname "$0")/stand_in.sh" --output "slabs-$total"
    [ "$(grep -c ',members,' "slabs-$total/nodes.csv")" -eq "${total#*,}" ] || fail "$total: other members"
done
expect 0 'more than 16 cores on a node are left out: a node of smoky' dry_run --backend smpi --total 32 --app bcast
! grep -q 'smpi-1x' said || fail "more threads than cores of a node are simulated"
expect 2 '^strata study: nodes: --platform must be a name' dry_run --backend smpi --platform nowhere
expect 2 '^strata study: nodes: --modes must list modes that the app has' dry_run --backend smpi --modes parts

# Two cores in every way, on emulated nodes.
expect 0 '^nodes: 10 points' "$strata" study nodes --total 2 --repeats 2 --output results
for shape in 1,1,2 1,2,1 2,1,1; do
    [ "$(rows emulated 'strata|mpi' $shape)" -eq 4 ] || fail "$(rows emulated 'strata|mpi' $shape) rows for $shape"
done
for mode in members parts; do
    [ "$(rows emulated $mode 1,1,2)" -eq 2 ] || fail "no row of $mode"
done

# The answer: the best split with its time, how much less that is than the next, and every time.
"$strata" report results >told
time='[0-9.]+ [num]?s \([0-9.]+ [num]?s to [0-9.]+ [num]?s\)'
for words in '^is_sort S, 2 cores on emulated nodes$' "^Best is [12] nodes? x [12] ranks? x [12] threads? by [A-Za-z, ]+: $time, " \
    "[0-9.]+ % \(-?[0-9.]+ to [0-9.]+ %\) less time than .*which takes $time" '^Why: beside ' '2 repeats, of all splits in turn' \
    "^  2 +1 +1 +$time *[*=]? +- +- +$time" "^  1 +1 +2( +$time *[*=]?){4}"; do
    grep -qE "$words" told || fail "the answer has no line \"$words\": $(cat told)"
done
for words in '^## is_sort S, 2 cores on emulated nodes$' '^Best is ' '^Why: beside ' "^[|]2[|]1[|]1[|]$time"; do
    grep -qE "$words" results/nodes.md || fail "nodes.md has no line \"$words\""
done
[ "$(grep -c ' [*]' told)" -ge 1 ] || fail "the table marks no best split"
grep -q '^| commit | ' results/nodes.md || fail "nodes.md does not say how it was made"
if command -v gnuplot >/dev/null; then
    for end in svg png pdf; do
        [ -s "results/nodes-times-is-sort-S-2-cores-on-emulated-nodes.$end" ] || fail "no picture of the times as $end"
        [ -s "results/nodes-best-is-sort-S-2-cores-on-emulated-nodes.$end" ] || fail "no picture of the best times as $end"
    done
fi

# Figures made up, by hand: 2 x 1 x 1 takes a half, and its spread is far from the others.
mkdir made
{
    sed -n '/^point,/p' results/nodes.csv
    for repeat in 1 2 3; do
        row() { echo "$1-$repeat,made up,emulated,is_sort,ranks,$2,$3,$4,2,$repeat,$5,$6,,$7,"; echo "# done $1-$repeat 1 x"; }
        row a strata 2x1x1 2,1,1 0.00${repeat}1 0.0005 50
        row b strata 1x2x1 1,2,1 0.00${repeat}2 0.0006 100
        row c mpi 1x2x1 1,2,1 0.00${repeat}4 0.0009 ""
    done
} >made/nodes.csv
awk -F, -v OFS=, '/^[abc]-/ { k = $1 ~ /^a/ ? 1 : $1 ~ /^b/ ? 2 : 4; $13 = k * ($12 == 1 ? 0.001 : $12 == 2 ? 0.0011 : 0.00105) } { print }' \
    made/nodes.csv >made/new && mv made/new made/nodes.csv
expect 0 '^Best is 2 nodes x 1 rank x 1 thread by Strata: 1.05 ms \(932 us to 1.18 ms\), 50.0 % \(50.0 to 50.0 %\) less time than 1 node x 2 ranks x 1 thread by Strata, which takes 2.10 ms' \
    "$strata" report made
grep -q '^Against MPI.s own collectives at their best: 75.0 % (75.0 to 75.0 %) less time than 1 node x 2 ranks x 1 thread by MPI' said || fail "MPI's best is not told"
grep -q '^Why: beside 1 node x 2 ranks x 1 thread by Strata the exchange takes 100.0 us less (500 us and not 600 us), and the rest .* less (.*); it sends 0.5 times the messages' said ||
    fail "the cause is not told: $(cat said)"

# From a folder whose name is two words.
mkdir "two words"
cp "$strata" "$(dirname "$strata")/is_sort" "two words"
expect 0 '^nodes: 1 points' "two words/$(basename "$strata")" study nodes --total 1 --repeats 1 --output spaced

# A program that nobody changed, with Strata under it and without.
expect 2 'a program of your own does not run on simulated clusters' "$strata" study nodes --app ./mine --backend smpi --output own
expect 1 'the program of --app cannot be run' "$strata" study nodes --app ./mine --total 1 --output own
ln -s "two words/is_sort" mine
expect 0 '^nodes: 2 points' "$strata" study nodes --app "./mine --class S --exchange mpi" --total 1 --repeats 1 \
    --output own
grep -q '^  mine-emulated-1x1x1-ranks-strata-1 .* 1 of 2, .* left$' said || fail "the time left is not told"
grep -q '^  mine-emulated-1x1x1-ranks-mpi-1 .* 2 of 2, [0-9:]* passed$' said || fail "nothing is left, but a time is told"
for method in strata mpi; do
    grep -qE "^mine-emulated-1x1x1-ranks-$method-1,.*,mine,ranks,$method,1x1x1,1,1,1,[0-9]+,1,[0-9.e-]+," own/nodes.csv || fail "no seconds of $method"
done

# A program that tells its time itself, in its output or in JSON, behind -- and with words of its own.
cat >told.sh <<'END'
#!/bin/sh
[ "$1" = "two words" ] || exit 3
echo "Time: 7.5 ms, then"
echo "Time: 12.5 ms"
[ $# -lt 2 ] || echo '{"timing": {"loop": [1, 3, 8]}}' >"$2"
END
chmod +x told.sh
tells() { "$strata" study nodes --total 1 --repeats 1 --force --output tells --time-unit ms "$@"; }
seconds() { sed -n 's/^told[^,]*-mpi-1,.*,1x1x1,1,1,1,[0-9]*,1,\([0-9.e-]*\),.*/\1/p' tells/nodes.csv; }
expect 0 '^nodes: 2 points' tells --time-pattern 'Time: ([0-9.]+)' -- ./told.sh "two words"
[ "$(seconds)" = 0.0125 ] || fail "the time of a pattern is $(seconds)"
expect 0 '^nodes: 2 points' tells --time-json timing.loop -- ./told.sh "two words" @JSON@
[ "$(seconds)" = 0.003 ] || fail "the time of a key is $(seconds)"
expect 1 'its output has no number where "Tim: ' tells --time-pattern 'Tim: ([0-9]+)' -- ./told.sh "two words"
expect 1 'its JSON has no number at this key' tells --time-json timing.lop -- ./told.sh "two words" @JSON@
expect 2 'needs a group' dry_run --time-pattern Time -- ./told.sh
expect 2 'must be an extended regular' dry_run --time-pattern '(' -- ./told.sh
expect 2 'not both' dry_run --time-pattern '(1)' --time-json a -- ./told.sh
expect 2 'are for programs of your own' dry_run --time-json a
expect 2 '^strata study: --: behind it' dry_run --

# Slurm: missing; then a stand-in that starts as many ranks as it is told to, and records how it was called.
if ! command -v srun >/dev/null; then
    expect 1 'srun is not there' "$strata" study nodes --backend slurm --total 2 --output results
fi
expect 2 'outside an allocation the number of cores is not known' dry_run --backend slurm
[ "$(SLURM_JOB_NUM_NODES=3 SLURM_CPUS_ON_NODE=2 dry_run --backend slurm --repeats 1 --nodes 6)" = \
    "$(dry_run --backend slurm --repeats 1 --total 6 --nodes 6)" ] || fail "the cores of an allocation are not known"
cat >bin/srun <<END
#!/bin/sh
[ "\$1" = --version ] && echo "slurm stand-in" && exit
echo "\$*" >>"$folder/srun.log"
[ "\$1 \$3 \$5 \$7" = "-N -n --ntasks-per-node -c" ] && [ \$4 -eq \$((\$2 * \$6)) ] || exit 2
ranks=\$4
shift 8
exec $mpirun -n \$ranks "\$@"
END
chmod +x bin/srun
expect 0 '^nodes: 15 points' env PATH="$folder/bin:$PATH" "$strata" study nodes --backend slurm --total 2 --repeats 1 \
    --output results
for shape in 1,1,2 1,2,1 2,1,1; do
    [ "$(rows slurm 'strata|mpi' $shape)" -eq 2 ] || fail "$(rows slurm 'strata|mpi' $shape) rows for $shape under srun"
    words=$(echo $shape | sed 's/\(.*\),\(.*\),\(.*\)/-N \1 -n [12] --ntasks-per-node \2 -c \3 /')
    grep -q -e "^$words" srun.log || fail "srun was not called with $words"
done

# Interrupted with ranks under way: none is left.
# Nothing but this run has the folder in its command line.
ranks() { pgrep -f "is_sort .*$folder/long/" || true; }
"$strata" study nodes --class C --total 2 --output "$folder/long" >said 2>&1 &
runner=$!
for attempt in $(seq 100); do
    [ -z "$(ranks)" ] || break
    sleep 0.1
done
[ -n "$(ranks)" ] || fail "no rank began (attempt $attempt)"
kill -TERM $runner
wait $runner && fail "it ended well after SIGTERM"
for attempt in $(seq 50); do
    [ -n "$(ranks)" ] || break
    sleep 0.1
done
[ -z "$(ranks)" ] || fail "ranks are left"
[ -z "$(find "$folder/long" -name '*.json*')" ] || fail "a file of results is left"
exit $failed
