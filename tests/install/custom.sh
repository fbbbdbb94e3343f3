#!/bin/sh
# A custom MPI, as docs/install.md describes it: configured with its own wrapper and a name, built, installed and used
# by install.sh. One of the two MPIs plays the custom one.
#   custom.sh FOLDER MPICC MPIEXEC LAUNCHER RUN...     FOLDER: to build in; LAUNCHER: of the compiler, such as ccache, or ''
set -eu
. "$(dirname "$0")/../functions.sh"
build=$1 mpicc=$2 mpiexec=$3 launcher=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
empty_folder "$build"
at_exit 'rm -rf "$build"'
cd "$build"
configure() { cmake -S "$here/../.." -B . -G Ninja -D CMAKE_BUILD_TYPE=RelWithDebInfo -D STRATA_MPI=custom -D BUILD_TESTING=OFF "$@"; }

expect 1 'STRATA_MPI=custom needs -D MPI_C_COMPILER=' configure
expect 1 'STRATA_MPI=custom needs -D MPI_C_COMPILER=' configure -D MPI_C_COMPILER="$mpicc" -D STRATA_MPI_NAME=My-MPI
rm CMakeCache.txt
expect 0 'Build files have been written' configure -D MPI_C_COMPILER="$mpicc" -D MPIEXEC_EXECUTABLE="$mpiexec" \
    -D STRATA_MPI_NAME=mine -D CMAKE_C_COMPILER_LAUNCHER="$launcher" -D STRATA_WERROR=ON
cmake --build . --target strata_shared strata_preload strata_tool pages >said || { tail -50 said; fail "the build"; }
"$here/install.sh" "$build" "$@" || fail "tests/install/install.sh"
exit $failed
