#!/bin/sh
# From a bare Debian or Ubuntu to a running, tested Strata. Needs a shell, and root or sudo to install missing
# packages. Start it from anywhere; `help` lists the commands.
set -eu
from=$PWD
cd "$(dirname "$0")"
exec </dev/null # nothing here asks

# The packages that Strata needs: by purpose, as Debian packages, and in words for other systems.
library_packages="gcc libc6-dev cmake ninja-build pkg-config openmpi-bin libopenmpi-dev mpich libmpich-dev libhwloc-dev"
packages="$library_packages g++ libfftw3-dev libfftw3-mpi-dev libjansson-dev libotf2-trace-dev libbenchmark-dev"
test_packages="ccache libcmocka-dev libsimgrid-dev libjemalloc2 iproute2 util-linux mount procps hostname gnuplot-nox libxml2-utils otf2-tools
gfortran make man-db groff-base zsh environment-modules python3-mpi4py"
long_packages="python3-dolfinx python3-petsc4py cppcheck"
system_packages="mmdebstrap debian-archive-keyring util-linux mount"
debian_packages="build-essential debhelper dpkg-dev libjansson-dev libotf2-trace-dev lintian"
if [ "$(uname -m)" = x86_64 ]; then # from where 64-bit ARM is tried
    test_packages="$test_packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    long_packages="$long_packages qemu-user"
fi
# What only some systems have. Another clang-format than 14 formats otherwise, so without it the lint tests are skipped.
# shellcheck source=/dev/null
case $(. /etc/os-release && echo "$ID ${VERSION_ID-}") in
'debian 12') test_packages="$test_packages clang-format clang-tidy" ;;
esac 2>/dev/null

usage() {
    cat <<'END'
usage: quickstart.sh COMMAND [OPTION]
  run     install what is missing, build, sort NAS IS class A on 8 ranks, on this machine as it is
          and as 4 emulated nodes: Strata's alltoallv beside MPI's own, on Open MPI and on MPICH
  test    install what is missing, build, test on Open MPI, on MPICH and without MPI; without MPI
          and on Open MPI also under the address and undefined-behaviour sanitizers; by the standard
          ABI on each MPI that serves it (Open MPI from 6, MPICH from 5)
  test --long
          likewise, on MPICH under the sanitizers too, virtual ranks under the thread sanitizer, and
          the tests that take long, which `test` counts at its end (docs/testing.md)
  run --system SYSTEM, test [--long] --system SYSTEM
          the same in another system, in a folder beside this one: bookworm (Debian 12), trixie (13),
          sid (unstable) or noble (Ubuntu 24.04); tests/systems/system.sh help says where it is kept
  build   install what is missing, build everything in build/openmpi and build/mpich, and in
          build/abi where an MPI serves the standard ABI
  install [PREFIX]
          install what the library needs, build the library and the command for Open MPI, for
          MPICH and for the standard ABI, where an MPI serves it, and put them into PREFIX (as root
          /usr/local, else ~/.local)
  package [FOLDER]
          install what is missing, make Debian packages for this system, and put them into FOLDER
          (build/packages); docs/install.md says what is in them
  help    this text
END
}

needs() {
    cat <<'END'
What is needed, whatever the system calls it:
  to install a C11 compiler with OpenMP (gcc), CMake 3.25 or newer, Ninja, pkg-config
             Open MPI and MPICH with their compiler wrappers and headers
             hwloc 2.1 or newer with its headers
  to build   FFTW 3 with its OpenMP library, for apps/fft; with its MPI library where there is one
             jansson, for studies of programs that write JSON
             OTF2, for recorded calls in its format
             Google Benchmark and a C++ compiler, for bench/strata_bench
  to test    cmocka with its headers; clang-format 14 and clang-tidy 14 for the lint tests
             SimGrid 3.32 or newer with smpicc and smpirun, for simulated clusters
             gnuplot and xmllint for the pictures and pages of studies
             gfortran, for programs in Fortran under the preload library and among the examples
             mpi4py of Open MPI, for programs in Python; in the long form dolfinx 0.5 with petsc4py
             make, for the examples
             a compiler for 64-bit ARM, to try the library for it; in the long form qemu, to run it
             man, groff, zsh and Environment Modules, for what is installed beside the programs
Debian and Ubuntu packages:
END
    echo "$packages $test_packages" | fmt -w 96 2>/dev/null | sed 's/^/  /'
}

say() { printf '\n== %s\n' "$*"; }
die() {
    printf 'quickstart.sh: %s\n' "$*" >&2
    exit 1
}

wrong_use() {
    printf 'quickstart.sh: %s\n' "$*" >&2
    usage >&2
    exit 2
}

missing_packages() {
    for package in $packages; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "neither root nor sudo; as root: $*"
    fi
}

install_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        check_commands
        return
    fi
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        say "installing $missing"
        as_root apt-get -q -o DPkg::Lock::Timeout=300 update
        # shellcheck disable=SC2086
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
            install --no-install-recommends $missing
    fi
}

# On another system: goes on if the commands are there; CMake names a missing library.
check_commands() {
    for command in gcc cmake ninja pkg-config; do
        command -v $command >/dev/null || {
            needs >&2
            die "this is neither Debian nor Ubuntu, and there is no $command: install the above first"
        }
    done
}

check_cmake() {
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    # shellcheck disable=SC2086
    set -- $version
    [ "$1" -gt 3 ] || { [ "$1" -eq 3 ] && [ "$2" -ge 25 ]; } ||
        die "CMake 3.25 or newer is needed, this is $1.$2 (Debian 12 and Ubuntu 24.04 have it)"
}

# Prints "abi" where an MPI serves the standard ABI.
abi() {
    if command -v mpicc_abi || ls /usr/lib/*/libmpi_abi_*.so.1.*; then
        echo abi
    fi 2>/dev/null | tail -n 1
}

# ccache lets configurations share equal objects, also with a copy of the sources.
export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR="$PWD"

processors() { getconf _NPROCESSORS_ONLN; }

# configure PRESET [CMAKE OPTION...]
configure() {
    preset=$1
    shift
    mkdir -p build
    # What continuous integration compiles with other warnings in one build, a compiler cache has not for the others.
    [ -z "${WERROR:-}" ] || set -- -D STRATA_WERROR="$WERROR" "$@"
    if command -v ccache >/dev/null; then
        launcher=ccache
        # smpicc is a script, which stays the same when the compiler behind it changes.
        [ "$preset" != smpi ] || launcher="env;CCACHE_EXTRAFILES=$(readlink -f "$(command -v cc)");ccache"
        set -- "$@" -D CMAKE_C_COMPILER_LAUNCHER="$launcher"
    fi
    cmake --preset "$preset" "$@" >"build/$preset.log" 2>&1 || {
        cat "build/$preset.log"
        needs
        die "configuring build/$preset failed"
    }
}

# build PRESET [TARGET]
build() {
    say "building build/$1"
    cmake --build --preset "$1" ${2:+--target "$2"} --parallel "$(processors)"
}

# build_beside PRESET: begins the same with the least priority, and prints nothing.
build_beside() {
    nice -n 19 ninja -C "build/$1" -j "$(processors)" >"build/$1/build.log" 2>&1 &
    beside=$!
    trap '[ -z "$beside" ] || kill "$beside" 2>/dev/null || true' EXIT
    trap 'exit 130' HUP INT TERM
}

# build_end PRESET: waits for that.
build_end() {
    say "building build/$1, begun beside the tests"
    wait "$beside" || {
        cat "build/$1/build.log"
        beside=
        die "building build/$1 failed"
    }
    beside=
}

# launcher MPI: the program that starts ranks of this MPI.
launcher() { sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "build/$1/CMakeCache.txt"; }

# sort_on MPI: runs the main job, on the machine as it is and as emulated nodes.
sort_on() {
    mpi=$1
    set -- "$(launcher "$mpi")"
    case $("$1" --version) in
    *"Open MPI"* | *OpenRTE*)
        # Where ranks outnumber the cores, Open MPI's ranks must yield to each other.
        yields=0
        [ 8 -le "$(processors)" ] || yields=1
        set -- env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$1" \
            --oversubscribe --bind-to none --mca mpi_yield_when_idle $yields
        ;;
    esac
    for nodes in 1 4; do
        say "NAS IS class A on 8 ranks, $mpi, $(place $nodes)"
        STRATA_TOPO=$(emulated $nodes) "$@" -n 8 "build/$mpi/is_sort" --class A --exchange both \
            --json "build/$mpi/is_sort-$nodes.json"
    done
}

place() { [ "$1" -eq 1 ] && echo 'as it is' || echo "$1 emulated nodes"; }
emulated() { [ "$1" -eq 1 ] || echo "node:$1"; }

# field NAME FILE: prints the program's value for Strata, or the ratio of both exchanges.
field() { sed -n "s/^ *\"$1\": \[*\([^],]*\).*/\1/p" "$2" | head -n 1; }

# Prints the results of the sorts: the ten timed exchanges; messages and copies of all ranks in all eleven exchanges.
gain() {
    say "the exchange of keys: MPI's time / Strata's, and what Strata sent and copied"
    printf '%-9s %-16s %12s %10s   %s\n' MPI place 'Strata, ms' 'MPI / ours' 'between nodes; inside, by messages; copied'
    for mpi in openmpi mpich; do
        for nodes in 1 4; do
            json=build/$mpi/is_sort-$nodes.json
            set --
            for name in exchange_seconds exchange_ratio_mpi_to_strata messages_between_nodes bytes_between_nodes \
                messages_inside_nodes bytes_copied; do
                set -- "$@" "$(field $name "$json")"
            done
            echo "$mpi $(place $nodes | tr ' ' _) $*"
        done
    done | awk '
        $4 < 1 { lost[$2] = 1 }
        {
            gsub("_", " ", $2)
            printf "%-9s %-16s %12.1f %10.2f   %d messages, %.0f MB; %d; %.0f MB\n", $1, $2, $3 * 1e3, $4, $5, $6 / 1e6, $7, $8 / 1e6
        }
        END {
            if (lost["4_emulated_nodes"])
                print "\nBelow 1 on emulated nodes: Strata pays for messages between them, which the shared memory of the one" \
                    "\nmachine spares MPI. They are there to test and to study; docs/performance/one-host.md, Emulated nodes."
            if (lost["as_it_is"])
                print "\nBelow 1 on the machine as it is: both exchanges take what copying and waiting take, and launches differ" \
                    "\nby more than that; docs/benchmarks.md, Applications."
        }'
}

# configure_alone PRESET: configures without the tests, which need packages of their own. A build folder that has them
# keeps them.
configure_alone() {
    if [ -f "build/$1/CMakeCache.txt" ]; then
        configure "$1"
    else
        configure "$1" -D BUILD_TESTING=OFF
    fi
}

do_run() {
    for mpi in openmpi mpich; do
        configure_alone $mpi
        build $mpi is_sort
    done
    sort_on openmpi
    sort_on mpich
    gain
}

# The folder where `make install` puts files, or one that this user may write.
usual_prefix() { [ "$(id -u)" -eq 0 ] && echo /usr/local || echo "$HOME/.local"; }

# do_install PREFIX: installs the library and the command for both MPIs.
do_install() {
    prefix=$1
    mkdir -p "$prefix" && [ -w "$prefix" ] || die "$prefix cannot be written to; as root, or: ./quickstart.sh install PREFIX"
    for mpi in openmpi mpich $(abi); do
        configure_alone "$mpi"
        say "building build/$mpi"
        cmake --build --preset "$mpi" --parallel "$(processors)" --target strata_shared strata_preload strata_tool pages
        cmake --install "build/$mpi" --prefix "$prefix" >"build/$mpi/install.log" || die "installing failed: build/$mpi/install.log"
    done
    [ "$prefix" != /usr/local ] || [ "$(id -u)" -ne 0 ] || ldconfig # so that programs find the library
    say "installed in $prefix: the command, the library, what is preloaded, manual pages (docs/install.md)"
    case :$PATH: in *":$prefix/bin:"*) ;; *) echo "export PATH=$prefix/bin:\$PATH" ;; esac
    for mpi in openmpi mpich; do
        launched=$(launcher "$mpi")
        echo "${launched##*/} -n 2 strata.$mpi run -- ./program"
    done
}

# do_package FOLDER: makes Debian packages, and puts those there that are not debug symbols.
do_package() {
    command -v dpkg-buildpackage >/dev/null || die "Debian packages are made on Debian and Ubuntu"
    mkdir -p build "$1" && [ -w "$1" ] || die "$1 cannot be written to"
    say "making packages in build/package"
    packaging/debian.sh build/package >build/package.log 2>&1 || {
        tail -n 40 build/package.log
        die "making packages failed: build/package.log"
    }
    for file in build/package/*.deb; do
        case $file in *-dbgsym_*) continue ;; esac
        cp "$file" "$1"
        echo "${file##*/}"
    done
    grep '^[EW]:' build/package/lintian.log || true
    say "made in $1; as root: apt install $1/*.deb"
}

# test_one CONFIGURATION [PRESET]: runs the tests, and adds their counts to passed, skipped, failed and left.
test_one() {
    preset=${2:-$1}
    say "testing build/$1${2:+, $2}"
    log=build/$1/tests${2:+-$2}.log
    set -- --label-exclude '^long$'
    if [ "$long" = yes ]; then
        set --
    else
        left=$((left + $(ctest --preset "$preset" --show-only --label-regex '^long$' | sed -n 's/^Total Tests: //p')))
    fi
    # Tests wait at times, for ranks to start or for each other, so one more runs than there are processors.
    ctest --preset "$preset" "$@" --parallel $(($(processors) + 1)) --output-log "$log" || true
    counts=$(sed -n 's/.* \([0-9]*\) tests\{0,1\} failed out of \([0-9]*\)$/\1 \2/p' "$log")
    [ -n "$counts" ] || die "ctest did not finish: $log"
    not_run=$(grep -c '(Skipped)$' "$log") || true
    failed=$((failed + ${counts% *}))
    skipped=$((skipped + not_run))
    passed=$((passed + ${counts#* } - ${counts% *} - not_run))
}

do_test() {
    configurations="nompi openmpi mpich $(abi) nompi-sanitize openmpi-sanitize"
    [ "$long" = no ] || configurations="$configurations mpich-sanitize nompi-threads mpich-threads"
    passed=0 skipped=0 failed=0 left=0
    # Configuring takes one processor, so all configurations run at once.
    say "configuring smpi $configurations"
    begun=
    for configuration in smpi $configurations; do
        testing=ON lint=OFF
        case $configuration in smpi) testing=OFF ;; nompi | openmpi) lint=ON ;; esac
        configure "$configuration" -D BUILD_TESTING=$testing -D STRATA_LINT=$lint ${CI:+-D STRATA_WERROR=ON} &
        begun="$begun $!"
    done
    for process in $begun; do
        wait "$process" || exit 1
    done
    # The tests without MPI start these programs on simulated clusters.
    build smpi all
    build nompi
    # Tests wait at times, and the next configuration is built meanwhile.
    # shellcheck disable=SC2086 # words
    set -- $configurations
    while [ $# -gt 0 ]; do
        configuration=$1
        shift
        [ "$configuration" = nompi ] || build_end "$configuration"
        [ $# -eq 0 ] || build_beside "$1"
        if [ "$configuration" = abi ]; then
            for mpi in build/abi/served/*; do
                test_one abi "abi-${mpi##*/}"
            done
        else
            test_one "$configuration"
        fi
    done
    say "all of $configurations"
    [ $skipped -eq 0 ] || echo "$skipped skipped, named above with the reason"
    [ -n "$(abi)" ] || echo "no MPI here serves the standard ABI (Open MPI from 6, MPICH from 5): nothing was tested by it"
    [ "$long" = yes ] || echo "$left tests, mpich-sanitize, nompi-threads and mpich-threads are left to --long; docs/testing.md says when to run them"
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}

# elsewhere SYSTEM WORD...: the same command in the root of another system, which installs there what is missing.
elsewhere() {
    system=$1
    shift
    packages=$system_packages
    install_packages
    as_root env ${SYSTEMS_FOLDER:+"SYSTEMS_FOLDER=$SYSTEMS_FOLDER"} ${SYSTEMS_MIRROR:+"SYSTEMS_MIRROR=$SYSTEMS_MIRROR"} \
        ${SYSTEMS_UBUNTU_MIRROR:+"SYSTEMS_UBUNTU_MIRROR=$SYSTEMS_UBUNTU_MIRROR"} ${CI:+"CI=$CI"} \
        tests/systems/system.sh run "$system" ./quickstart.sh "$@"
}

command=${1:-help}
[ $# -eq 0 ] || shift
long=no system=
while [ $# -gt 0 ]; do
    case $command,$1 in
    test,--long) long=yes ;;
    run,--system | test,--system)
        case ${2-} in bookworm | trixie | sid | noble) ;; *) wrong_use "--system takes bookworm, trixie, sid or noble, not '${2-}'" ;; esac
        system=$2
        shift
        ;;
    install,*) break ;;
    test,*) wrong_use "test takes --long and --system, not '$1'" ;;
    run,*) wrong_use "run takes --system, not '$1'" ;;
    *) break ;;
    esac
    shift
done
most=0
case $command in install | package) most=1 ;; esac
[ $# -le $most ] || wrong_use "too many words: $command $*"
if [ -n "$system" ]; then
    [ $long = no ] || command="$command --long"
    # shellcheck disable=SC2086 # two words
    elsewhere "$system" $command
    exit
fi
case $command in
run)
    install_packages
    check_cmake
    do_run
    ;;
build)
    packages="$packages $test_packages"
    install_packages
    check_cmake
    for mpi in openmpi mpich $(abi); do
        configure "$mpi" -D BUILD_TESTING=ON
        build "$mpi" all
    done
    ;;
install)
    packages=$library_packages
    prefix=${1-$(usual_prefix)}
    case $prefix in
    /*) ;;
    -* | '') wrong_use "install takes a folder, not '$prefix'" ;;
    *) prefix=$from/$prefix ;;
    esac
    install_packages
    check_cmake
    do_install "$prefix"
    ;;
package)
    packages="$library_packages $debian_packages"
    folder=${1-$PWD/build/packages}
    case $folder in
    /*) ;;
    -* | '') wrong_use "package takes a folder, not '$folder'" ;;
    *) folder=$from/$folder ;;
    esac
    install_packages
    check_cmake
    do_package "$folder"
    ;;
test)
    [ $long = no ] || test_packages="$test_packages $long_packages"
    packages="$packages $test_packages"
    install_packages
    check_cmake
    do_test
    ;;
help | -h | --help)
    usage
    needs
    ;;
*) wrong_use "unknown command '$command'" ;;
esac
