#!/bin/sh
# Makes the Debian packages of this tree, for the MPIs of the system that it runs on, and lets lintian look at them.
#   debian.sh FOLDER     to build in; at the end the packages lie there, and lintian.log
# A copy of the sources gets the folder debian/: the files of packaging/debian, those with @MPI@ in their names once for
# each MPI. What else stands between two @ follows from the tree and the system.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$root"
upstream=$(sed -n 's/^#define STRATA_VERSION_STRING "\(.*\)"/\1/p' include/strata.h)
tree=$folder/strata-$upstream
rm -rf "$tree" "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
mkdir "$tree"
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$tree"

# The time of the packages: of the last commit, or of the newest file where there are no commits.
if [ -z "${SOURCE_DATE_EPOCH-}" ]; then
    SOURCE_DATE_EPOCH=$(git -c safe.directory="$root" log -1 --format=%ct 2>/dev/null) ||
        SOURCE_DATE_EPOCH=$(find "$tree" -type f -printf '%Ts\n' | sort -n | tail -n 1)
fi
export SOURCE_DATE_EPOCH
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} + # not those of a clone

# The version names the system, because a package of Debian 12 depends on the MPIs of Debian 12, and sorts before those
# of the next one.
. /etc/os-release
version=$upstream-1${VERSION_ID:+~$ID$VERSION_ID}
maintainer="${DEBFULLNAME:-The Strata developers} <${DEBEMAIL:-strata@example.org}>"

# fill FILE WORD...: replaces @NAME@ in the file, each word being NAME=VALUE.
fill() {
    file=$1
    shift
    for word; do
        set -- "$@" -e "s#@${word%%=*}@#${word#*=}#g"
        shift
    done
    sed -i "$@" "$file"
}

# list MARK COLUMN: the packages of a column of debian/mpis, each once, in one line, with MARK between them.
list() { awk -v mark="$1" -v column="$2" '!seen[$column]++ { printf "%s%s", (NR > 1 ? mark : ""), $column }' debian/mpis; }

# for_each_mpi: makes the files of each row.
for_each_mpi() {
    while read -r mpi _ run development priority title; do
        for template in "$root"/packaging/debian/*@MPI@*; do
            file=debian/$(basename "$template" | sed "s/@MPI@/$mpi/; s/@SOVERSION@/$soversion/")
            cp "$template" "$file"
            fill "$file" MPI="$mpi" SOVERSION="$soversion" PRIORITY="$priority" TITLE="$title" \
                RUN_PACKAGE="$(echo "$run" | sed 's/|/ | /')" ENHANCED="$(echo "$run" | sed 's/|/, /')" \
                DEVELOPMENT_PACKAGE="$development"
        done
        # The wrappers that the build makes, where the MPIs have none.
        [ "$mpi" != abi ] || command -v mpicc_abi >/dev/null || echo 'usr/lib/*/strata/mpi*_abi' >>debian/libstrata-abi-dev.install
        cat "debian/control-$mpi" >>debian/control
        rm "debian/control-$mpi"
        {
            echo "libstrata_$mpi.so.$soversion libstrata-$mpi$soversion #MINVER#"
            echo "* Build-Depends-Package: libstrata-$mpi-dev"
            sed -n 's/^STRATA_\([0-9.]*\) .*/ (symver)STRATA_\1 \1/p' api/symbols.map
        } >"debian/libstrata-$mpi$soversion.symbols"
    done <debian/mpis
}

cd "$tree"
mkdir debian
cp "$root"/packaging/debian/[!@]* debian
rm -f debian/*@*
mv debian/control.in debian/control
mv debian/changelog.in debian/changelog
grep -v '^#' "$root/packaging/debian/mpis" | while read -r mpi wrapper rest; do
    # shellcheck disable=SC2086 # a pattern
    if { command -v $wrapper || ls $wrapper; } >/dev/null 2>&1; then
        echo "$mpi $wrapper $rest"
    else
        echo "no packages for $mpi by $wrapper, which is not there" >&2
    fi
done | awk '!seen[$1]++' >debian/mpis
[ -s debian/mpis ] || exit 1
soversion=${upstream%%.*}
for_each_mpi
fill debian/control MAINTAINER="$maintainer" BUILD_DEPENDS="$(list ', ' 4)" \
    COMMANDS="$(list ' | ' 1 | sed 's/[a-z]\{1,\}/strata-&/g')" DEVELOPMENT="$(list ' | ' 1 | sed 's/[a-z]\{1,\}/libstrata-&-dev/g')"
fill debian/changelog VERSION="$version" DISTRIBUTION="${VERSION_CODENAME:-unstable}" MAINTAINER="$maintainer" \
    DATE="$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Strata\n\n'
    printf 'Files: *\nCopyright: %s\nLicense: BSD-3-Clause\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
    sed -n '/^Redistribution/,$ { s/^$/./; s/^/ /; p }' LICENSE
} >debian/copyright

dpkg-buildpackage -us -uc -b -Jauto
cd "$folder"
# The first version of a package closes a bug, if it is uploaded. One with the system's name is not taken for it.
unasked=$([ -n "${VERSION_ID-}" ] || echo --suppress-tags=initial-upload-closes-no-bugs)
# shellcheck disable=SC2086 # nothing, or one word
lintian --allow-root --fail-on none --display-info --pedantic $unasked ./*.changes >lintian.log
