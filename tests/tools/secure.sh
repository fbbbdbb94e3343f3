#!/bin/sh
# A program with more rights than the user who starts it ignores that user's settings, also in files.
#   secure.sh STRATA FOLDER    FOLDER: for a copy of the command that has another user's rights
set -eu
. "$(dirname "$0")/../functions.sh"
[ "$(id -u)" -eq 0 ] || { echo "not root: no program can be given another user's rights"; exit 77; }
folder=$(mktemp -d "$2/secure.XXXXXX")
at_exit 'rm -rf "$folder"'
chmod 755 "$folder"
cp "$1" "$folder/strata"
mkdir "$folder/home" "$folder/home/strata"
echo "STRATA_BUDGET = 1M" >"$folder/home/strata/settings"
chmod -R a+rX "$folder/home"
unset STRATA_SETTINGS
expect() {
    XDG_CONFIG_HOME=$folder/home STRATA_PASSES=7 "$folder/strata" info >"$folder/said"
    grep -qE "STRATA_PASSES += $1 " "$folder/said" || fail "$3"
    grep -qE "STRATA_BUDGET += $2 " "$folder/said" || fail "$3: files"
}
expect "7 +environment" "1M +user's file" "an ordinary program"
chown 65534 "$folder/strata"
chmod 4755 "$folder/strata"
STRATA_PASSES=7 "$folder/strata" info >/dev/null 2>&1 || { echo "the copy cannot be run with another user's rights"; exit 77; }
expect "4 +default" "64M +default" "a program with another user's rights"
exit $failed
