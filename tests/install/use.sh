#!/bin/sh
# Uses an installed Strata as docs/install.md and examples/README.md describe it. install.sh starts this script in an
# empty folder that has the examples.
#   use.sh PREFIX MPI RUN...     RUN... starts a program of that MPI
set -eu
. "$(dirname "$0")/../functions.sh"
prefix=$1 mpi=$2
shift 2
all=$(ls "$prefix/bin" | sed -n 's/^strata\.//p' | tr '\n' ';')
all=${all%;}

expect 0 '^smoky ' "$prefix/bin/strata.$mpi" list platforms
expect 0 '^strata [0-9]' "$prefix/bin/strata" --version
[ "$(readlink "$prefix/bin/strata")" = "strata.$mpi" ] || fail "strata is not that of the MPI that was installed first"

# With make, and with CMake: the link line names no library but ours and MPI's.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
case $mpi in
openmpi | mpich | abi) fortran= ;;
*) fortran=-DMPI_Fortran_COMPILER=$(pkg-config --variable=mpicc "strata-$mpi" | sed 's/mpicc/mpifort/') ;;
esac
make -C examples MPI="$mpi" >made 2>&1 || { cat made; fail "make"; }
# shellcheck disable=SC2086 # nothing, or a word
{ cmake -S examples -B built -D CMAKE_PREFIX_PATH="$prefix" -D MPI="$mpi" $fortran && cmake --build built; } >made 2>&1 || { cat made; fail "cmake"; }
for program in examples/sort built/sort; do
    needed=$(readelf -d $program | sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p')
    echo "$needed" | grep -qx "libstrata_$mpi" || fail "$program is not linked with libstrata_$mpi"
    echo "$needed" | grep -E 'hwloc|gomp' && fail "$program is linked with what is the library's own"
done
programs='examples/sort built/moments built/histogram examples/norm built/transpose'
[ -z "${STRATA_TEST_LONG-}" ] || programs="$programs built/sort examples/moments examples/histogram built/norm examples/transpose"
for program in $programs; do
    if [ ! -e "$program" ] && grep 'transpose is left out' made; then
        echo "not run: $program"
        continue
    fi
    case $program in
    */sort) says='^sorted 200000 numbers on 2 ranks' ;;
    */histogram) says='^right: 400000 numbers of 4 threads' ;;
    */norm) says='^right: norm 36597[.]' ;;
    */moments) says='^right: mean 999.5' ;;
    *) says='^transposed 128 x 128, error +0.0' ;;
    esac
    expect 0 "$says" "$@" "$program"
done

# Plans are proved by a library of its own, which the library looks for beside itself.
export STRATA_CHECK=1 STRATA_STRICT=1
expect 0 '^sorted 200000 numbers on 2 ranks' "$@" examples/sort
mv "$prefix"/lib/strata/libstrata_check_"$mpi".so.* .
expect 1 "^strata: STRATA_CHECK is .1., which needs libstrata_check_$mpi.so" "$@" examples/sort
mv libstrata_check_"$mpi".so.* "$prefix/lib/strata"
unset STRATA_CHECK STRATA_STRICT

# Under programs that nobody changed.
cat >plain.c <<'END'
#include <mpi.h>

int main(int argc, char **argv)
{
    int one = 1, ranks = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return ranks != 2;
}
END
if [ "$mpi" = openmpi ] && /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
    program='/usr/bin/python3 examples/pi.py'
else
    echo "plain.c is run in its place, because there is no mpi4py for $mpi: pi.py"
    "$(pkg-config --variable=mpicc "strata-$mpi")" plain.c -o plain
    program=./plain
fi
# shellcheck disable=SC2086 # the words of $program
expect 0 '^strata: allreduce  *[1-9]' "$@" "$prefix/bin/strata.$mpi" run --report --force allreduce=rabenseifner -- $program
case $program in *pi.py) grep -q '^pi is 3.14159265, ' said || fail "pi.py: $(cat said)" ;; esac

# What is not installed is said to be missing.
expect 1 'hosts need tests/hosts of Strata.s sources, which is not installed' "$prefix/bin/strata.$mpi" study nodes --app is_sort \
    --class W --total 4 --backend hosts --output nodes

# package COMPONENTS PATTERN CODE: what find_package says.
package() {
    mkdir -p asked
    cat >asked/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(asked LANGUAGES NONE)
find_package(strata REQUIRED $1)
foreach(target strata openmpi mpich abi)
    if(TARGET strata::\${target})
        message(STATUS "has strata::\${target}")
    endif()
endforeach()
END
    expect "$2" "$3" cmake -S asked -B asked/build -D CMAKE_PREFIX_PATH="$prefix"
}
package "COMPONENTS nothing" 1 "not installed for nothing; it is for .*$mpi"
package "COMPONENTS $mpi" 0 "has strata::strata"
case $all in
*\;*)
    package "" 1 "say for which MPI"
    package "COMPONENTS $all" 0 "has strata::openmpi"
    grep -q "has strata::${all%%;*}" said || fail "COMPONENTS $all: no strata::${all%%;*}"
    grep -q "has strata::strata" said && fail "COMPONENTS $all: which is strata::strata?"
    ;;
*) package "" 0 "has strata::strata" ;;
esac
exit $failed
