#!/bin/sh
# A limited host takes as long as its bandwidth says.
#   hosts.sh run --ranks 1,1 --mpi none --bandwidth 4mbit -- bandwidth.sh MPIEXEC IS_SORT
# 1441792 bytes (traffic.sh) at 4 Mbit/s take 2.9 seconds on the wire. A crowded machine takes as long without a
# limit, so the script also checks that data had to wait for the limit.
set -eu
began=$(date +%s%N)
"$1" -n 2 "$2" --class S --exchange both >/dev/null
took=$((($(date +%s%N) - began) / 1000000))
echo "$took ms"
[ $took -ge 2800 ]
tc -s qdisc show dev eth0 | tee /dev/shm/waited
grep -q 'overlimits [1-9]' /dev/shm/waited
