#!/bin/sh
# One name, one thing: every header can be included alone, and all of them together. Where a .c file includes its own
# header first, the compiler has seen that header alone. No two files of the library have
# one name, and no two of its structs one tag. One fact, one place: the head of an algorithm's file repeats none of
# the facts in its row.
#   names.sh ROOT COMPILER...     the compiler, with what the headers need; prints each violation, exit 1 if there is any
#   names.sh --self COMPILER...   checks this check: each seeded violation must be found
set -eu
. "$(dirname "$0")/functions.sh"

# sources ROOT PATTERN FOLDER...
sources() {
    (cd "$1" && pattern=$2 && shift 2 && find "$@" -name "$pattern" ! -path 'sim/smpi/*' 2>/dev/null | sort)
}
library="core sim internode intranode hier api"

# shellcheck disable=SC2086 # folders are words
check() {
    root=$1
    shift
    set -- "$@" -std=gnu11 -I "$root" -I "$root/include" -fsyntax-only
    sources "$root" '*.h' include $library tools | sed 's/.*/#include "&"/' >"$folder/together.c"
    rm -f "$folder"/alone*
    sources "$root" '*.c' include $library tools | (cd "$root" && xargs -r grep -H -m 1 '^#include') |
        sed -n 's/^\(.*\)\.c:\(#include "\1\.h"\)$/\2/p' >"$folder/first"
    grep -vxFf "$folder/first" "$folder/together.c" |
        awk -v at="$folder/alone" '{ print $0 "\nextern int none;" >(at NR ".c"); close(at NR ".c") }'
    find "$folder" -name 'alone*.c' -print0 | xargs -0 -P 2 -n 16 "$@" 2>/dev/null || for alone in "$folder"/alone*.c; do
        "$@" "$alone" 2>"$folder/said" || fail "$(head -n 1 "$alone") alone: $(grep -m 1 error "$folder/said")"
    done
    "$@" "$folder/together.c" 2>"$folder/said" || fail "all headers together: $(grep -m 1 error "$folder/said")"
    for name in $(sources "$root" '*.[ch]' $library | sed 's,.*/,,' | sort | uniq -d); do
        fail "two files have one name: $(sources "$root" "$name" $library | xargs)"
    done
    types='^(struct|enum|union) strata_[a-z_]+ \{'
    sources "$root" '*.[ch]' $library tools | (cd "$root" && xargs grep -oE "$types") >"$folder/types" || true
    for tag in $(sed 's/^[^:]*:[a-z]* //; s/ {//' "$folder/types" | sort | uniq -d); do
        fail "two types have one name: $tag in $(grep " $tag " "$folder/types" | cut -d : -f 1 | xargs)"
    done
    for file in $(sources "$root" '*.c' internode hier); do
        ! sed '/\*\//q' "$root/$file" | grep -qE '^ \* +(Paper|Rounds|Volume|Scratch|Restrictions):' ||
            fail "the row says it: a fact in the head of $file"
    done
    return $failed
}

# seed WORDS FILE LINE [FILE LINE]: a tree of these files must be reported with these words.
seed() {
    words=$1
    shift
    rm -rf "$folder/tree"
    while [ $# -gt 0 ]; do
        mkdir -p "$folder/tree/${1%/*}"
        echo "$2" >>"$folder/tree/$1"
        shift 2
    done
    if (check "$folder/tree" $compiler) >"$folder/report" 2>&1; then
        fail "not found: $words"
    fi
    grep -qF -e "$words" "$folder/report" || fail "not said: $words, but: $(cat "$folder/report")"
}

self() {
    compiler=$*
    seed '#include "core/a.h" alone' core/a.h 'extern size_t a;'
    seed 'all headers together' core/a.h 'struct a { int a; };' sim/b.h 'struct a { int b; };'
    seed 'all headers together' core/a.h 'enum { A };' tools/b.h 'enum { A };'
    seed 'two files have one name: core/a.c hier/x/a.c' core/a.c 'int a;' hier/x/a.c 'int b;'
    seed 'two types have one name: strata_a in core/a.c core/b.c' core/a.c 'struct strata_a {' core/b.c 'struct strata_a {'
    seed 'the row says it: a fact in the head of hier/a.c' hier/a.c '/* A.
 * Rounds: 1. */'
    return $failed
}

temporary_folder
case ${1:-} in
--self) shift; self "$@" ;;
"" | -*) echo "usage: $0 ROOT COMPILER... | --self COMPILER..." >&2; exit 2 ;;
*) check "$@" ;;
esac
