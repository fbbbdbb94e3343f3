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
# expect PASSES BUDGET WHAT LAUNCHER...: what counts of the user's settings.
expect() {
    passes=$1 budget=$2 what=$3
    shift 3
    XDG_CONFIG_HOME=$folder/home STRATA_PASSES=7 "$@" "$folder/strata" info >"$folder/said"
    grep -qE "STRATA_PASSES += $passes " "$folder/said" || fail "$what"
    grep -qE "STRATA_BUDGET += $budget " "$folder/said" || fail "$what: files"
}
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
expect "7 +environment" "1M +user's file" "an ordinary program" env
chown 65534 "$folder/strata"
chmod 4755 "$folder/strata"
STRATA_PASSES=7 "$folder/strata" info >/dev/null 2>&1 || { echo "the copy cannot be run with another user's rights"; exit 77; }
expect "4 +default" "64M +default" "a program with another user's rights" env
chown 0:65534 "$folder/strata"
chmod 2755 "$folder/strata"
expect "4 +default" "64M +default" "a program with another group's rights" env
chown 0:0 "$folder/strata"
chmod 755 "$folder/strata"
if ! $nobody "$folder/strata" info >/dev/null 2>&1; then
    echo "another user cannot run the copy: capabilities were not tried"
elif ! setcap cap_net_raw+ep "$folder/strata"; then
    echo "no capability can be given to the copy: capabilities were not tried"
else
    # shellcheck disable=SC2086 # words
    expect "4 +default" "64M +default" "a program with a capability" $nobody
    setcap -r "$folder/strata"
    # shellcheck disable=SC2086 # words
    expect "7 +environment" "1M +user's file" "an ordinary program of another user" $nobody
fi
exit $failed
