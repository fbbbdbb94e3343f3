#!/bin/sh
# catalogue.sh STRATA DOCS FOLDER: docs/algorithms.md and its pictures are those that the command writes now.
set -eu
rm -rf "$3"
mkdir -p "$3/algorithms"
"$1" catalogue "$3"
if diff -r "$3/algorithms" "$2/algorithms" && diff "$3/algorithms.md" "$2/algorithms.md"; then
    exit 0
fi
echo "the page of algorithms is out of date; write it anew: $1 catalogue docs"
exit 1
