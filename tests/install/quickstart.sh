#!/bin/sh
# `quickstart.sh install PREFIX` with the sources alone: both MPIs are installed, only the needed parts are built, and
# the installation works.
#   quickstart.sh FOLDER     to build in; it is emptied first
set -eu
. "$(dirname "$0")/../functions.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$1/sources prefix=$1/two/words
empty_folder "$copy"
at_exit 'rm -rf "$copy" "$prefix"'
copy_sources "$root" "$copy"
cd "$1"
expect 0 "^== installed in $prefix: " "$copy/quickstart.sh" install two/words
[ ! -e "$copy/build/openmpi/is_sort" ] && [ ! -e "$copy/build/mpich/tests" ] || fail "more is built than is installed"
for file in bin/strata include/strata.h share/man/man1/strata.1 lib/libstrata_openmpi.so lib/strata/libstrata_preload_mpich.so; do
    [ -e "$prefix/$file" ] || fail "there is no $file"
done
for mpi in openmpi mpich; do
    launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$copy/build/$mpi/CMakeCache.txt") # another MPI's on Ubuntu
    expect 0 '^topology: 2 ranks on 1 node' "$launcher" -n 2 "$prefix/bin/strata.$mpi" info
    expect 0 "/lib/strata/libstrata_preload_$mpi.so\$" "$prefix/bin/strata.$mpi" run --strict -- sh -c 'echo $LD_PRELOAD'
done

expect 2 "^quickstart.sh: install takes a folder, not '--prefix'" "$copy/quickstart.sh" install --prefix
expect 2 "^quickstart.sh: package takes a folder, not '--sign'" "$copy/quickstart.sh" package --sign
expect 1 '^quickstart.sh: /proc/none cannot be written to' "$copy/quickstart.sh" install /proc/none
exit $failed
