#!/bin/sh
# The symbols that the preload library exports: MPI's 17 blocking collectives, in C and as Fortran spells them, their
# forms with large counts where this MPI has them, the calls that begin MPI, and nothing else. Strata itself calls
# only PMPI's names of MPI, which the preload library must never catch. preload/ defines each exported name as it is
# written.
#   symbols.sh PRELOAD LIBRARY     libstrata_preload_*.so, libstrata.so
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
names="barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw reduce allreduce
reduce_scatter reduce_scatter_block scan exscan"
shown=$(nm -D --defined-only "$1" | awk '{ print $3 }')
defined "$(dirname "$0")/../../preload" >"$folder/defined"
for name in $shown; do
    grep -qx "$name" "$folder/defined" || fail "no line of preload/ defines $name"
done
large=$(nm -D --undefined-only "$2" | sed -n 's/.* P\(MPI_[A-Z][a-z_]*_c\)$/\1/p' | grep -vE '^MPI_(Type_|Get_|I)' || true)
for name in $large; do
    echo "$shown" | grep -qx "$name" || fail "$1 has no $name"
    shown=$(echo "$shown" | grep -vx "$name" || true)
done
for name in $names; do
    echo "$shown" | grep -qx "MPI_$(echo "$name" | sed 's/^./\U&/')" || fail "$1 has no $name"
    shown=$(echo "$shown" | grep -vixE "mpi_${name}(_|__|_f08_)?" || true)
done
shown=$(echo "$shown" | grep -vxE "P?MPI_Init(_thread)?" || true)
[ -z "$shown" ] || fail "$1 shows $shown"
called=$(nm -D --undefined-only "$2" | awk '{ print $2 }' | grep -xE 'MPI_[A-Z][a-z_]*' || true)
[ -z "$called" ] || fail "$2 calls $called"
nm -D --undefined-only "$2" | grep -q ' PMPI_Allreduce$' || fail "$2 does not call PMPI"
exit $failed
