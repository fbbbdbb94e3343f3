#!/bin/sh
# Runs a command that has some settings on some ranks alone. (mpirun A : B does not run with every MPI.)
#   on_ranks.sh PATTERN NAME=VALUE... -- COMMAND...    PATTERN is a pattern of the shell, such as 0 or [12]
set -eu
pattern=$1
shift
# shellcheck disable=SC2254 # it is a pattern
case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?which rank this is}} in $pattern) here=yes ;; *) here= ;; esac
while [ "$1" != -- ]; do
    [ -z "$here" ] || export "${1?}"
    shift
done
shift
exec "$@"
