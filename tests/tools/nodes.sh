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

rows() { grep -cE "^is_sort-S-$1-.*,(strata|mpi),$2,[0-9.e-]+," results/nodes.csv || true; }

expect 2 '^strata study: nodes: --total must be a number' "$strata" study nodes --total 0 --output results
expect 2 '^strata study: nodes: --backend must be emulated, hosts, smpi or slurm' "$strata" study nodes --backend cloud --output results
expect 2 '^strata study: "--node" is no option|unknown option "--node"; nodes has .*--total' "$strata" study nodes --node 1 --output results
expect 2 '^strata study: nodes: --app must be is_sort, fft, a collective .* or a program with its path' "$strata" study nodes --app sort --output results
expect 2 '^strata study: nodes: --bytes must be one number' "$strata" study nodes --app bcast --bytes 8,64 --output results
expect 2 '^strata study: nodes: --class must be S, W, A' "$strata" study nodes --class E --output results
expect 2 'fft does not run on simulated clusters' "$strata" study nodes --app fft --backend smpi --output results

# Simulated collectives: by our methods and by those of an MPI that the simulator knows.
expect 0 '^bcast-64-smpi-2x1x1-strata: strata simulate bcast .* --methods auto --csv' "$strata" study nodes \
    --app bcast --backend smpi --total 2 --dry-run
expect 0 '^bcast-64-smpi-2x1x1-mpi: strata simulate bcast .* --methods mpich --csv' "$strata" study nodes \
    --app bcast --backend smpi --total 2 --dry-run

# Two cores in every way, on emulated nodes.
expect 0 '^nodes: 3 points' "$strata" study nodes --total 2 --output results
for shape in 1,1,2 1,2,1 2,1,1; do
    [ "$(rows emulated $shape)" -eq 2 ] || fail "$(rows emulated $shape) rows for $shape"
done

# From a folder whose name is two words.
mkdir "two words"
cp "$strata" "$(dirname "$strata")/is_sort" "two words"
expect 0 '^nodes: 1 points' "two words/$(basename "$strata")" study nodes --total 1 --output spaced

# A program that nobody changed, with Strata under it and without.
expect 2 'a program of your own does not run on simulated clusters' "$strata" study nodes --app ./mine --backend smpi --output own
expect 1 'the program of --app cannot be run' "$strata" study nodes --app ./mine --total 1 --output own
ln -s "two words/is_sort" mine
expect 0 '^nodes: 2 points' "$strata" study nodes --app "./mine --class S --exchange mpi" --total 1 --output own
grep -q '^  mine-emulated-1x1x1-strata .* 1 of 2, .* left$' said || fail "the time left is not told"
grep -q '^  mine-emulated-1x1x1-mpi .* 2 of 2, [0-9:]* passed$' said || fail "nothing is left, but a time is told"
for method in strata mpi; do
    grep -qE "^mine-emulated-1x1x1-$method,.*,mine,$method,1,1,1,[0-9.e-]+," own/nodes.csv || fail "no seconds of $method"
done

# Slurm: missing; then a stand-in that starts as many ranks as it is told to, and records how it was called.
if ! command -v srun >/dev/null; then
    expect 1 'srun is not there' "$strata" study nodes --backend slurm --output results
fi
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
expect 0 '^nodes: 6 points' env PATH="$folder/bin:$PATH" "$strata" study nodes --backend slurm --total 2 --output results
for shape in 1,1,2 1,2,1 2,1,1; do
    [ "$(rows slurm $shape)" -eq 2 ] || fail "$(rows slurm $shape) rows for $shape under srun"
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
