#!/bin/sh
# An installed Strata: both MPIs go into one empty prefix. The prefix is then moved and used by use.sh where neither
# the sources nor the builds are visible (in a mount namespace, where one can be made).
#   install.sh BUILD RUN...     RUN... starts a program of that build's MPI; the other MPI's build lies beside it
set -eu
. "$(dirname "$0")/../functions.sh"
build=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
temporary_folder

# name_of BUILD: as its files are named.
name_of() { sed -n 's/^Name: strata-//p' "$1"/strata-*.pc; }

# lay_down BUILD
lay_down() { cmake --install "$1" --prefix "$folder/first" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "cmake --install $1"; }; }

# What docs/install.md uninstalls by is all that was installed.
check_manifest() {
    find "$folder/first" ! -type d | sort >"$folder/found"
    { cat "$build/install_manifest.txt" && echo; } | sort | sed '/^$/d' | diff - "$folder/found" || fail "install_manifest.txt is not what is there"
}

# What use.sh needs of the sources.
take_along() {
    cp -r "$root/examples" "$folder"
    mkdir -p "$folder/tests/install"
    cp "$root/tests/functions.sh" "$folder/tests"
    cp "$root/tests/install/use.sh" "$folder/tests/install"
    [ -z "${LD_PRELOAD-}" ] || { cp "$LD_PRELOAD" "$folder" && LD_PRELOAD=$folder/${LD_PRELOAD##*/}; }
}

# unseen COMMAND...: in the folder, without the sources and the build.
unseen() {
    cd "$folder"
    for namespace in "unshare -m" "unshare -rm"; do
        if $namespace mount -t tmpfs none "$root" 2>/dev/null; then
            # shellcheck disable=SC2016 # the $ are for the inner shell
            $namespace sh -c 'for seen; do
                    shift
                    [ "$seen" != -- ] || break
                    [ ! -d "$seen" ] || mount -t tmpfs none "$seen" || exit
                done
                exec "$@"' sh "$build" "$root" -- "$@"
            return
        fi
    done
    echo "no mount namespace can be made here, so the sources stay in sight"
    "$@"
}

name=$(name_of "$build")
lay_down "$build"
check_manifest
other=
case $name in openmpi) other=mpich ;; mpich | abi) other=openmpi ;; esac
if [ -n "$other" ] && [ -e "${build%/*}/$other/strata.$other" ]; then
    lay_down "${build%/*}/$other"
elif [ -n "$other" ]; then
    echo "nothing is installed beside $name, because there is no build of $other beside this one"
fi
named=$(grep -rlF -e "$root" -e "$build" "$folder/first") || true
[ -z "$named" ] || fail "these name the sources or the build: $named"

# As packagers do.
DESTDIR=$folder/stage cmake --install "$build" --prefix /usr >"$folder/log"
[ -x "$folder/stage/usr/bin/strata" ] || fail "DESTDIR: there is no usr/bin/strata"

mv "$folder/first" "$folder/prefix"
take_along
unseen tests/install/use.sh "$folder/prefix" "$name" "$@" || fail "tests/install/use.sh"
exit $failed
