#!/bin/sh
# The library without its optional parts: it builds, exports the same symbols, and serves calls. It says which parts
# are missing.
#   options.sh FOLDER MPICC LAUNCHER NAME RUN...     FOLDER: to build in; LAUNCHER: of the compiler, such as ccache, or '';
#                                                     NAME: openmpi; RUN... starts a program of that MPI
set -eu
. "$(dirname "$0")/functions.sh"
build=$1 mpicc=$2 launcher=$3 name=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
empty_folder "$build"
at_exit 'rm -rf "$build"'
cd "$build"
cmake -S "$here/.." -B . -G Ninja -D CMAKE_BUILD_TYPE=RelWithDebInfo -D STRATA_MPI="$name" -D MPI_C_COMPILER="$mpicc" \
    -D CMAKE_C_COMPILER_LAUNCHER="$launcher" -D STRATA_WERROR=ON -D BUILD_TESTING=OFF -D STRATA_SPLIT=OFF -D STRATA_TORUS=OFF >said ||
    { cat said; fail "it cannot be configured"; }
cmake --build . --target strata_shared >said || { tail -50 said; fail "the build"; }
"$here/symbols.sh" "$PWD/libstrata_$name.so" "$PWD/libstrata_check_$name.so" || fail "symbols.sh"
nm "libstrata_$name.so" | grep -E ' (strata_split_run|strata_mst|strata_bucket)$' && fail "it has what it was to be built without"

cat >program.c <<'END'
#include <stdio.h>
#include <strata.h>

int main(int argc, char **argv)
{
    MPI_Comm all, part = MPI_COMM_NULL;
    int one = 1, ranks = 0, rank, size, class = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    strata_allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, all);
    MPI_Error_class(strata_comm_split(all, NULL, NULL, NULL, 0, &part), &class);
    if (rank == 0 && ranks == size && class == MPI_ERR_UNSUPPORTED_OPERATION && part == MPI_COMM_NULL) {
        printf("as expected on %d ranks\n", ranks);
    }
    MPI_Comm_free(&all);
    MPI_Finalize();
    return 0;
}
END
"$mpicc" -I "$here/../include" program.c -L. "-lstrata_$name" "-Wl,-rpath,$PWD" -o program
expect 0 '^as expected on 2 ranks$' env STRATA_SPLIT_HOSTS=1 STRATA_CHECK=1 "$@" ./program
grep -q '^strata: comm_split, rank 0: this libstrata was built with STRATA_SPLIT=OFF$' said || fail "it does not say why: $(cat said)"
exit $failed
