#!/bin/sh
# For 64-bit ARM.
#   aarch64.sh           compiles the files with atomics, which must call no function for them
#   with STRATA_TEST_LONG=1 builds all parts without MPI; the command prints the same as here, and virtual ranks, also
#   as threads, pass their tests under qemu
#   aarch64.sh STRATA    the command that was built for this machine
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 long=${STRATA_TEST_LONG-}
unset STRATA_TEST_LONG # the programs have long forms of their own
root=$(cd "$(dirname "$0")/../.." && pwd)
compiler=aarch64-linux-gnu-gcc
absent() { echo "$1 is not there (Debian: $2)"; exit 77; }
command -v $compiler >/dev/null || absent $compiler gcc-aarch64-linux-gnu
echo '#include <stdint.h>' | $compiler -E - >/dev/null 2>&1 || absent "its C library" libc6-dev-arm64-cross
temporary_folder

if [ -z "$long" ]; then
    cd "$folder"
    files=$(cd "$root" && grep -lE 'atomic_(load|store|fetch|exchange|thread)' core/*/*.c intranode/*.c sim/*/*.c | grep -v '_smpi\.c$')
    for file in $files; do
        $compiler -std=gnu11 -O2 -Wall -Wextra -Werror -I "$root" -I "$root/include" -c "$root/$file" -o "$(basename "$file").o" ||
            fail "$file is not compiled"
    done
    calls=$(aarch64-linux-gnu-nm -Au ./*.o | grep -E '__atomic_(load|store|fetch|exchange|compare|is_lock)' || true)
    [ -z "$calls" ] || fail "atomics that need a lock: $calls"
    exit $failed
fi

command -v qemu-aarch64 >/dev/null || absent qemu-aarch64 qemu-user
mkdir "$folder/pkgconfig"
printf 'Name: cmocka\nDescription: stand-in\nVersion: 1\nCflags: -I%s\n' "$root/tests/packaging/cmocka" >"$folder/pkgconfig/cmocka.pc"
export PKG_CONFIG_PATH="$folder/pkgconfig"
programs="core_test_kernels sim_test_virtual sim_test_node_vectors sim_test_virtual_failure"
cmake -S "$root" -B "$folder/build" -G Ninja --toolchain "$root/cmake/aarch64.cmake" -D STRATA_MPI=off -D STRATA_WERROR=ON \
    -D CMAKE_BUILD_TYPE=RelWithDebInfo >"$folder/log" 2>&1 || { cat "$folder/log"; fail "it cannot be configured"; }
# shellcheck disable=SC2086 # words
cmake --build "$folder/build" --target strata_tool $programs >"$folder/log" 2>&1 || { tail "$folder/log"; fail "it is not built"; }

emulated() { qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"; }
# same ARGUMENT...: the command says the same on both, word for word.
same() {
    "$strata" "$@" >"$folder/here"
    emulated "$folder/build/strata-nompi" "$@" >"$folder/there"
    diff "$folder/here" "$folder/there" >&2 || fail "strata $* says another thing on aarch64"
}
same list
same list machines
same plan alltoallv --topo 'node:4 rank:16' --bytes 64
same plan allreduce --topo 'node:3 rank:13' --bytes 1M
same split --ranks 64 --method hash
for program in $programs; do
    emulated "$folder/build/tests/$program" || fail "$program"
done
exit $failed
