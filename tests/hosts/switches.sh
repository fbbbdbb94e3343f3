#!/bin/sh
# `strata tune machine` pairs nodes by the switches that Slurm tells each of them.
#   hosts.sh run --ranks 1,2,1,1 --mpi none -- switches.sh MPIEXEC STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
mpiexec=$1 strata=$2
# shellcheck disable=SC2016 # the inner shell's
told='for place; do
          case $place in "$(hostname)="*) export SLURM_TOPOLOGY_ADDR="${place#*=}" ;; esac
      done
      exec "$STRATA" tune machine --seconds 0.1 --out "$OUT"'
# tells KINDS LEVELS PLACE...: the levels with their pairs, such as "1:1 2:1", where each host is told its place.
tells() {
    kinds=$1 wanted=$2
    shift 2
    env SLURM_TOPOLOGY_ADDR_PATTERN="$kinds" STRATA="$strata" OUT="$folder/machine" \
        "$mpiexec" -n 5 sh -c "$told" sh "$@" || fail "$kinds: $*"
    found=$(awk '/^# levels of switches between two nodes/ { on = 1; next }
                 { on = on && /^#  / }
                 on { printf "%s%s:%s", sep, $2, $3; sep = " " }' "$folder/machine")
    grep "(0 to" "$folder/machine" && fail "$kinds: $*: no time at all"
    [ "$found" = "$wanted" ] || fail "$kinds: $*: \"$found\", not \"$wanted\""
}
# Rank 0 gathers also the samples of pairs without it.
tells switch.switch.node "1:1 2:1" host1=c.a.host1 host2=c.b.host2 host3=c.b.host3 host4=c.b.host4
tells switch.switch.node "" host1=c.a.host1 host2=c.b.host1 host3=c.b.host1 host4=c.b.host1 # not their own places
exit $failed
