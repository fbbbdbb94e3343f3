#!/bin/sh
# A rank is killed (kill -9) somewhere in a node-aware algorithm: while the communicator is attached, between two steps
# of a call, or while the rank waits. The program repeats random calls of one collective with one algorithm for ever.
# The job must end, as the launcher sees to it. No rank may spin on, see a wrong byte or crash, and no file may stay.
#   kills.sh BUILD short|long
set -u
. "$(dirname "$0")/functions.sh"

# What node-aware algorithms there are: "collective:algorithm", one a line.
pairs() {
    "$build/strata" list | awk '/^[a-z]/ { name = $1 } $1 == "collectives" { $1 = ""; gsub(/[ ,]+/, " "); served = $0 }
        $1 == "level" && $2 == "node-aware" { n = split(served, each, " "); for (i = 1; i <= n; i++) print each[i] ":" name }'
}

# program PAIR: the test program that has the collective.
program() {
    case $1 in
    *reduce* | *scan:*) echo "$build/tests/mpi_test_api_reductions" ;;
    *) echo "$build/tests/mpi_test_api_collectives" ;;
    esac
}

if [ -z "${3:-}" ]; then
    "$hosts" check || exit
    on_hosts 5 "one node" node:1
    on_hosts 5 "emulated nodes" node:2,3
    on_hosts 2,3 "hosts" -
    exit $failed
fi

# draw N: sets drawn, 0 to N - 1; the number of the run decides.
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

begin
[ "$4" = - ] || export STRATA_TOPO="$4"
rounds=1 every=8 state=${#3} run=0
case $form,$4 in long,-) rounds=2 every=1 ;; long,*) rounds=7 every=1 ;; esac
for round in $(seq $rounds); do
    for pair in $(pairs); do
        run=$((run + 1))
        [ $(((run + ${#3}) % every)) -eq 0 ] || continue
        rank=$(((run / every + round) % HOSTS_TOTAL))
        draw 3
        case $drawn in 0) most=40 ;; 1) most=200 ;; *) most=3000 ;; esac # one in three dies as it attaches
        draw $most
        step=$((drawn + 1))
        draw 80
        waits=$((drawn > 40 ? drawn - 40 : 0))
        try "$pair, rank $rank at step $step+$waits" 20 env LD_PRELOAD="$faulting${LD_PRELOAD:+:$LD_PRELOAD}" \
            FAULTING="kill,$rank,$step,$waits" "$(program "$pair")" --only " $pair " --calls 100000 --seed "$run"
        [ "$got" -ne 0 ] || { lost=$((lost + 1)); echo "$pair: nobody was killed" >&2; }
    done
done
end "a rank killed, $3"
