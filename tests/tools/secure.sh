#!/bin/sh
# A program with more rights than the user who starts it ignores that user's settings.
#   secure.sh STRATA FOLDER    FOLDER: for a copy of the command that has another user's rights
set -eu
. "$(dirname "$0")/../functions.sh"
[ "$(id -u)" -eq 0 ] || { echo "not root: no program can be given another user's rights"; exit 77; }
folder=$(mktemp -d "$2/secure.XXXXXX")
at_exit 'rm -rf "$folder"'
chmod 755 "$folder"
cp "$1" "$folder/strata"
expect_passes() { STRATA_PASSES=7 "$folder/strata" info | grep -qE "STRATA_PASSES += $1 " || fail "$2"; }
expect_passes "7 +environment" "an ordinary program"
chown 65534 "$folder/strata"
chmod 4755 "$folder/strata"
STRATA_PASSES=7 "$folder/strata" info >/dev/null 2>&1 || { echo "the copy cannot be run with another user's rights"; exit 77; }
expect_passes "4 +default" "a program with another user's rights"
exit $failed
