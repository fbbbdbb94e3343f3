#!/bin/sh
# catalogue.sh STRATA DOCS FOLDER: docs/algorithms.md and its pictures are up to date with the command.
set -eu
. "$(dirname "$0")/functions.sh"
empty_folder "$3"
mkdir "$3/algorithms"
"$1" catalogue "$3"
if diff -r "$3/algorithms" "$2/algorithms" && diff "$3/algorithms.md" "$2/algorithms.md"; then
    exit 0
fi
echo "the page of algorithms is out of date; write it anew: $1 catalogue docs"
exit 1
