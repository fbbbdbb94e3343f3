#!/bin/sh
# Data between ranks of different hosts go over the network, not through memory: counted on host1's interface.
#   hosts.sh run --ranks 1,1 --mpi none -- traffic.sh MPIEXEC IS_SORT
# Class S on two ranks: each sends half of its 32768 keys of 4 bytes to the other, 11 times by each of two exchanges.
# That makes 1441792 bytes; more than twice as much would be a mistake.
set -eu
sent() { cat /sys/class/net/eth0/statistics/tx_bytes; }
before=$(sent)
"$1" -n 2 "$2" --class S --exchange both >/dev/null
bytes=$(($(sent) - before))
echo "$bytes bytes sent by host1"
[ $bytes -ge 1441792 ] && [ $bytes -le 2883584 ]
