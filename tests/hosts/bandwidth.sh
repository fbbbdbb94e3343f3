#!/bin/sh
# A limited host takes as long as its bandwidth says.
#   hosts.sh run --ranks 1,1 --mpi none --bandwidth 4mbit -- bandwidth.sh MPIEXEC IS_SORT
# 1441792 bytes (traffic.sh) at 4 Mbit/s are 2.9 seconds on the wire. A crowded machine takes that long without a limit, so
# it is also asked whether anything had to wait for it.
set -eu
began=$(date +%s%N)
"$1" -n 2 "$2" --class S --exchange both >/dev/null
took=$((($(date +%s%N) - began) / 1000000))
echo "$took ms"
[ $took -ge 2800 ]
tc -s qdisc show dev eth0 | tee /dev/shm/waited
grep -q 'overlimits [1-9]' /dev/shm/waited
