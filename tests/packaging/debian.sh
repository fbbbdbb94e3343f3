#!/bin/sh
# The Debian packages of another Debian: `quickstart.sh package` makes them in a bare root of it, lintian has nothing
# to say, and debian_use.sh installs, uses and removes them in a second one.
#   debian.sh SYSTEM FOLDER      bookworm, trixie or sid; FOLDER: for the roots. It is emptied first
set -eu
. "$(dirname "$0")/../functions.sh"
system=$1 folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
empty_folder "$folder/build"
empty_folder "$folder/use"
at_exit 'rm -rf --one-file-system "$folder/build" "$folder/use"'

# in_root FOLDER WORD...: system.sh with its roots there. What it cannot do here, it says, and the test is skipped.
in_root() {
    code=0
    roots=$1
    shift
    SYSTEMS_FOLDER=$roots "$root/tests/systems/system.sh" "$@" || code=$?
    [ $code -ne 77 ] || exit 77
    [ $code -eq 0 ] || { fail "$*"; exit 1; }
}

in_root "$folder/build" make "$system"
cp -a "$folder/build/$system" "$folder/use"
in_root "$folder/build" run "$system" ./quickstart.sh package /packages
in_root "$folder/build" run "$system" sh -c '! grep "^[EW]:" build/package/lintian.log'
cp -a "$folder/build/$system/packages" "$folder/use/$system"
in_root "$folder/use" run "$system" tests/packaging/debian_use.sh /packages
exit $failed
