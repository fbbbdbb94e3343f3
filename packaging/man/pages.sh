#!/bin/sh
# Writes the manual pages: sections 3 and 7 from the public header, section 1 and the settings from the command's
# output.
#   pages.sh STRATA HEADER VERSION FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
strata=$1 header=$2 version=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder/man1" "$folder/man3" "$folder/man7"

# page OUT SCRIPT ARGUMENT...: writes a page from the standard input.
page() {
    out=$folder/$1 script=$2
    shift 2
    awk -v out="$out" -v version="$version" -f "$here/layout.awk" -f "$here/$script" "$@"
}

# list SECTION NAME...: prints the names as "NAME(SECTION), NAME(SECTION)".
list() {
    section=$1
    shift
    printf "%s($section), " "$@" | sed 's/, $//'
}

awk -v folder="$folder" -v version="$version" -f "$here/layout.awk" -f "$here/functions.awk" "$header" "$header"

subcommands=$("$strata" complete -- '')
for command in $subcommands; do
    "$strata" help "$command" | page "man1/strata-$command.1" command.awk -v name="strata-$command" -v see='strata(1), strata(7)'
done
# shellcheck disable=SC2086 # names without blanks
"$strata" help | page man1/strata.1 command.awk -v name=strata -v see="$(list 1 $(printf 'strata-%s ' $subcommands)), strata(7)"
"$strata" list settings |
    page man7/strata.7 overview.awk -v see="strata(1), $(cd "$folder/man3" && list 3 $(ls | sed 's/[.]3$//'))" "$header" -
