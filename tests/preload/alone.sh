#!/bin/sh
# A command that was copied without its library says so, in the words of docs/guide.md. So does a command in a place
# where nothing can be preloaded. Neither starts a program.
#   alone.sh STRATA LIBRARY
set -eu
. "$(dirname "$0")/../functions.sh"
temporary_folder
cp "$1" "$folder/strata"
cd "$folder"
expect 1 "^strata run: there is no ${2##*/} beside this command, nor in " ./strata run -- touch started
for name in 'with a space' with:colon; do
    mkdir "$name"
    cp "$1" "$name/strata"
    cp "$2" "$name"
    expect 1 "^strata run: nothing is preloaded whose path has a space or a colon in it: .*$name" "$name/strata" run -- touch started
done
[ ! -e started ] || fail "the program was started"
exit $failed
