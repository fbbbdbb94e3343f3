#!/bin/sh
# A command that was copied without its library says so, in the words of docs/guide.md, and starts nothing.
#   alone.sh STRATA LIBRARY    the command; the name of its library
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
cp "$1" "$folder/strata"
cd "$folder"
expect 1 "^strata run: there is no $2 beside this command, nor in " ./strata run -- touch started
[ ! -e started ] || fail "the program was started"
exit $failed
