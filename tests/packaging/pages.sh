#!/bin/sh
# Each public function and each subcommand has a page. Neither groff nor man complains about a page. Where the header
# lacks a comment, or a comment does not mention its function, no pages are made.
#   pages.sh BUILD STRATA    with STRATA_TEST_LONG=1 man shows all pages
set -eu
. "$(dirname "$0")/../functions.sh"
build=$1 strata=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
temporary_folder

# The functions as the compiler sees them, however the header is laid out.
sed 's/#include <mpi.h>/typedef void *MPI_Comm, *MPI_Datatype, *MPI_Info, *MPI_Op, *MPI_Request, *MPI_Status;/' "$root/include/strata.h" >"$folder/strata.h"
${CC:-cc} -E -P "$folder/strata.h" | tr '\n' ' ' | grep -o 'visibility("default"))) [^(]*' | sed 's/.*[ *]//' | sort >"$folder/functions"
[ "$(wc -l <"$folder/functions")" -gt 30 ] || fail "the header's functions were not found"

cd "$build/man"
basename -s .3 man3/*.3 | sort >"$folder/pages"
diff "$folder/functions" "$folder/pages" >&2 || fail "functions (<) and pages (>) of section 3 differ"
"$strata" help | sed -n 's/^  \([a-z]*\) .*/strata-\1/p' | sort >"$folder/subcommands"
basename -s .1 man1/strata-*.1 | sort | diff "$folder/subcommands" - >&2 || fail "subcommands (<) and pages (>) of section 1 differ"

# A page shows the function of its name, if through a link to another page.
while read -r name; do
    page=$(sed -n 's/^\.so //p' "man3/$name.3")
    tr '\n' ' ' <"${page:-man3/$name.3}" | grep -q "\.SH NAME .*$name.* .SH SYNOPSIS .*#include <strata.h>.*$name(.*\.SH DESCRIPTION" ||
        fail "man3/$name.3 does not show $name"
done <"$folder/functions"

# Nothing of the help is lost, nor of the settings.
words() { tr -s ' \n\t' '\n' | grep . | sort -u; }
while read -r page; do
    "$strata" help "${page#strata-}" | sed 1,3d | words >"$folder/help"
    groff -man -Tascii -rLL=500n -P-cbou "man1/$page.1" | words | comm -23 "$folder/help" - >"$folder/lost"
    [ ! -s "$folder/lost" ] || fail "man1/$page.1 has lost: $(tr '\n' ' ' <"$folder/lost")"
done <"$folder/subcommands"
for setting in $("$strata" list settings | grep '^STRATA_'); do
    grep -q "$setting" man7/strata.7 || fail "man7/strata.7 does not have $setting"
done

said=$(groff -man -Tutf8 -ww man?/* 2>&1 >"$folder/shown") || fail "groff does not show all pages"
[ -z "$said" ] || fail "groff: $said"
# man takes a hundred times as long.
pages='man1/strata-run.1 man3/strata_chain_bcast.3 man3/strata_comm_split.3 man7/strata.7'
[ -z "${STRATA_TEST_LONG-}" ] || pages=$(echo man?/*)
# shellcheck disable=SC2086 # names without blanks
said=$(man --warnings -l $pages 2>&1 >"$folder/shown") || fail "man does not show all pages"
[ -z "$said" ] || fail "man: $said"

# spoiled COMMENT MESSAGE: without it there are no pages, and it is said why.
spoiled() {
    grep -v "^/\* $1" "$root/include/strata.h" >"$folder/strata.h"
    expect 1 "$2" "$root/packaging/man/pages.sh" "$strata" "$folder/strata.h" 0 "$folder/man"
}
cd "$folder"
spoiled 'Returns once all ranks have called it' 'strata.h:[0-9]+: strata_barrier has no comment$'
spoiled 'Frees a chain' 'strata.h:[0-9]+: the comment of strata_chain_create and others says nothing of strata_chain_create$'
exit $failed
