#!/bin/sh
# Installs Debian packages of Strata, uses them as docs/install.md says, upgrades and removes them. It is for a system
# where nothing else is: debian.sh starts it in a root of its own.
#   debian_use.sh PACKAGES     the folder of the packages
set -eu
packages=$1
tree=$(cd "$(dirname "$0")/../.." && pwd)
. "$tree/tests/functions.sh"
temporary_folder
cd "$folder"
export DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

install() { apt-get -q -y install --no-install-recommends "$@" >log 2>&1 || { cat log; fail "apt-get install $*"; exit 1; }; }
there() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
leads_to() { [ "$(readlink -f /usr/bin/strata)" = "/usr/bin/strata.$1" ] || fail "strata is $(readlink -f /usr/bin/strata) and not that of $1 $2"; }
# on MPI COMMAND...: on two ranks; by the standard ABI under Open MPI (abi) or under MPICH (abi_mpich)
on() {
    case $1 in
    openmpi | abi) launcher="mpirun.openmpi --oversubscribe" ;;
    mpich) launcher=mpirun.mpich ;;
    abi_mpich) launcher="env LD_LIBRARY_PATH=$folder/abi mpirun.mpich" ;;
    esac
    shift
    # shellcheck disable=SC2086 # words
    $launcher -n 2 "$@"
}

# The same packages under a lower version, from which they are upgraded.
mkdir older
for package in "$packages"/*.deb; do
    version=$(dpkg-deb -f "$package" Version)
    dpkg-deb -R "$package" unpacked
    sed -i "s/$version/${version%-*}-0/g" unpacked/DEBIAN/control
    dpkg-deb --root-owner-group -Znone -b unpacked older >log
    rm -r unpacked
done

# The command for one MPI brings no other.
apt-get -q update >log 2>&1 || { cat log; fail "apt-get update"; exit 1; }
install ./older/strata-openmpi_*.deb ./older/strata-preload-openmpi_*.deb ./older/strata-common_*.deb
! there mpich && ! there libmpich12 || fail "strata-openmpi brings MPICH"
expect 0 '^smoky ' strata list platforms
leads_to openmpi "where it is alone"

install ./older/*.deb cmake make pkg-config man-db bash-completion
ours=$(for package in "$packages"/*.deb; do dpkg-deb -f "$package" Package; done)
leads_to openmpi "at first"

# What the administrator chose stays when the packages are upgraded.
update-alternatives --set strata /usr/bin/strata.mpich >log
install "$packages"/*.deb
leads_to mpich "after the upgrade"
update-alternatives --auto strata >log
# shellcheck disable=SC2086 # words
old=$(dpkg-query -W -f '${Package} ${Version}\n' $ours | grep -- '-0$') || true
[ -z "$old" ] || fail "not upgraded: $old"
kinds="openmpi mpich"
if there libstrata-abi0; then
    kinds="$kinds abi abi_mpich"
    mkdir abi
    ln -s /usr/lib/*/libmpi_abi_mpich.so.1.* abi/libmpi_abi.so.1
fi
sed -n '/^```c$/,/^```$/ { /^```/!p }' "$tree/README.md" >hello.c
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
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(hello LANGUAGES C)
find_package(strata REQUIRED COMPONENTS ${MPI})
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE strata::strata)
END
for kind in $kinds; do
    mpi=${kind%_*}
    mpicc=$(pkg-config --variable=mpicc strata-$mpi)
    # shellcheck disable=SC2046 # words
    "$mpicc" hello.c $(pkg-config --cflags --libs strata-$mpi) -o hello-$mpi || fail "with pkg-config, $mpi"
    rm -rf built-$mpi
    { cmake -B built-$mpi -D MPI=$mpi && cmake --build built-$mpi; } >log 2>&1 || { cat log; fail "with CMake, $mpi"; }
    for program in ./hello-$mpi built-$mpi/hello; do
        expect 0 '^rank 1: 101 from the last rank, by ' on $kind $program
        readelf -d $program | grep -q "NEEDED.*\[libstrata_$mpi\.so\.[0-9]*\]" || fail "$program is not linked with libstrata_$mpi"
    done
    expect 0 '^rank 0: 100 ' on $kind env STRATA_CHECK=1 STRATA_STRICT=1 ./hello-$mpi # loads the checker
    "$mpicc" plain.c -o plain-$mpi
    expect 0 '^strata: allreduce  *[1-9]' on $kind strata.$mpi run --report --force allreduce=rabenseifner -- ./plain-$mpi
    [ -e "$(pkg-config --variable=preload strata-$mpi)" ] || fail "pkg-config --variable=preload strata-$mpi"
    man strata.$mpi | grep -q 'strata COMMAND' || fail "man strata.$mpi"
    case $kind,$(grep -c "strata: the MPI is $(case $kind in *mpich) echo MPICH ;; *) echo Open MPI ;; esac)" said) in
    *,0) cat said && fail "$kind: another MPI" ;;
    esac
    case $mpi,$(dpkg-query -W -f '${Depends}' strata-$mpi strata-preload-$mpi libstrata-${mpi}0) in
    abi,*'libopenmpi40 (>= 6.0.0~) | libmpich12 (>= 5.0.0~)'*) ;;
    abi,* | *libopenmpi*libmpich* | *libmpich*libopenmpi*) fail "wrong MPIs among what the packages for $mpi depend on" ;;
    esac
    ldconfig -p | grep -q "libstrata_$mpi.so.0 " || fail "ldconfig does not know libstrata_$mpi.so.0"
done
for page in strata.1 strata-run.1 strata_alltoallv.3 strata.7; do
    man "${page#*.}" "${page%.*}" >page && [ -s page ] || fail "man ${page#*.} ${page%.*}"
done
cat >complete.sh <<'END'
. /usr/share/bash-completion/bash_completion
for load in _comp_load _completion_loader; do
    ! type -t $load >/dev/null || { $load strata; break; }
done
COMP_WORDS=(strata pl) COMP_CWORD=1
_strata
echo "${COMPREPLY[@]}"
END
expect 0 '^plan$' bash complete.sh
cp -r /usr/share/doc/strata/examples .
make -C examples MPI=mpich sort >log 2>&1 || { cat log; fail "the examples"; }
expect 0 '^sorted 200000 numbers on 2 ranks' on mpich examples/sort

# Also when they are installed over themselves.
update-alternatives --set strata /usr/bin/strata.mpich >log
expect 0 '/libstrata_preload_mpich.so$' strata run -- sh -c 'echo $LD_PRELOAD'
dpkg -i "$packages"/*.deb >log 2>&1 || { cat log; fail "they cannot be installed over themselves"; }
leads_to mpich "after it was chosen"
expect 0 '^rank 0: 100 ' on mpich ./hello-mpich
apt-get -q -y purge strata-mpich >log 2>&1 || { cat log; fail "apt-get purge strata-mpich"; }
leads_to openmpi "where that of MPICH was removed"

# Removal leaves nothing. Pages that were shown are kept in man's cache.
# shellcheck disable=SC2086 # words
{
    dpkg -L $(for package in $ours; do ! there "$package" || echo "$package"; done) | sort -u >files
    apt-get -q -y purge $(for package in $ours; do ! there "$package" || echo "$package"; done) >log 2>&1 || { cat log; fail "apt-get purge"; }
}
while read -r file; do
    [ ! -e "$file" ] || [ "$file" = /. ] || dpkg -S "$file" >/dev/null 2>&1 || fail "$file is left"
done <files
left=$(find / -xdev -path "$tree" -prune -o -path "$packages" -prune -o -path "$folder" -prune -o -path /var/lib/strata -prune -o \
    -name '*strata*' ! -path '/proc/*' ! -path '/sys/*' ! -path '/var/cache/man/*' -print)
[ -z "$left" ] || fail "left: $left"
! ldconfig -p | grep strata || fail "ldconfig still knows the libraries"
exit $failed
