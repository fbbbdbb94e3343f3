#!/bin/sh
# Checks the pages. Each path and each link that they name exists. No line is longer than 120 columns (except tables
# and output of programs), and no paragraph than 120 words. README.md has at most 120 lines. Its figures stand in
# docs/performance.md, whose tables are those of docs/performance/. Prints each violation as PAGE: sentence; exit 1 if
# there is any.
#   docs.sh ROOT      checks the tree
#   docs.sh --self    checks this check: each seeded violation must be found
set -eu
. "$(dirname "$0")/functions.sh"
tables=$(cd "$(dirname "$0")/.." && pwd)/docs/tables.sh

# Written by programs, which have tests of their own.
generated() { case $1 in docs/algorithms.md | docs/torus-stages.md) ;; *) return 1 ;; esac; }

# long PAGE: lines that could be broken and are not.
long() {
    awk -v page="$1" 'length($0) > 120 && !/^\|/ && /[^ ] +[^ ]/ { print page ": line " NR " has " length($0) " columns" }' "$1"
}

# paragraphs PAGE: of more than 120 words, outside tables and code. An item of a list is a paragraph.
paragraphs() {
    awk -v page="$1" '
        function end() {
            if (words > 120) print page ": the paragraph that begins in line " first " has " words " words"
            words = 0
        }
        /^ *```/ { end(); fenced = !fenced; next }
        fenced || (/^    / && !words) { next }
        /^ *$/ || /^#/ || /^ *\|/ { end(); next }
        /^ *([-*+]|[0-9]+\.) / { end(); words = -1 }
        words < 1 { first = NR }
        { words += NF }
        END { end() }' "$1"
}

# headings PAGE...: PAGE#NAME for each, as links call it: lower case, hyphens for spaces, no punctuation.
headings() {
    awk '/^#+ / { sub(/^#+ /, ""); gsub(/ /, "-"); $0 = tolower($0); gsub(/[^a-z0-9_-]/, ""); print FILENAME "#" $0 }' "$@"
}

# links PAGE: to files, and to their headings, all of which are in $known.
links() {
    case $1 in */*) folder_of=${1%/*}/ ;; *) folder_of= ;; esac
    grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//' | grep -v '^https\{0,1\}:' | sort -u | while read -r link; do
        target=$(echo "$folder_of$link" | sed -e ':up' -e 's,[^/.][^/]*/\.\./,,' -e 't up')
        case $link in '#'*) target=$1$link ;; esac
        if [ ! -e "${target%%#*}" ]; then
            echo "$1: links to $link, which is not there"
        elif [ "$link" != "${link#*#}" ]; then
            case $known in *"
$target
"*) ;; *) echo "$1: links to $link, and there is no such heading" ;; esac
        fi
    done
}

# is_there FILE...: what a pattern stands for, or the pattern itself.
is_there() { [ -e "$1" ]; }

# is_test AREA/NAME: as ctest lists it, or the beginning of such a name.
is_test() {
    [ -f "tests/${1%/*}/test_${1##*/}.c" ] || grep -q "\"${1##*/} " "tests/${1%/*}/CMakeLists.txt" 2>/dev/null
}

# is_added FILE: by a page that adds it.
is_added() { grep -qsx -e "\`$1\`:" docs/adding-*.md; }

# paths PAGE: in backquotes and in commands; * stands for some. A program may be named without its .c, and so may a test; words in
# capitals stand for a name that the reader chooses.
paths() {
    tr '`" ()' '\n\n\n\n\n' <"$1" | grep -E "^(\.\./)?($folders)/[A-Za-z0-9_./*-]*$" | grep -v '[A-Z][A-Z]' |
        sed 's,^\.\./,,; s,[.]*$,,' | sort -u | while read -r path; do
        # shellcheck disable=SC2086 # a pattern
        is_there $path || [ -f "$path.c" ] || is_test "$path" || is_added "$path" || echo "$1: names $path, which is not there"
    done
}

# figures: README's are lines of docs/performance.md: of alltoallv, these bytes, both times and their ratio.
figures() {
    sed -n '/^## Figures/,/^## [^F]/s/^| [0-9]* | \([0-9]* | [0-9.]* | [0-9.]* | [0-9.]*\) |$/\1/p' README.md | while read -r row; do
        grep -qF "| alltoallv | $row (" docs/performance.md || echo "README.md: has figures that docs/performance.md has not: $row"
    done
}

check() {
    cd "$1"
    figures
    "$tables" check . || true
    folders='api|apps|bench|cmake|core|docs|examples|hier|include|internode|intranode|packaging|preload|sim|tests|tools'
    lines=$(wc -l <README.md)
    [ "$lines" -le 120 ] || echo "README.md: has $lines lines"
    awk '/^\|/ && length($0) > 120 { print "README.md: line " NR " has " length($0) " columns" }' README.md
    set -- README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/decisions/*.md docs/studies/*.md examples/README.md
    known="
$(headings "$@")
"
    for page in "$@"; do
        links "$page"
        paragraphs "$page"
        generated "$page" || { long "$page"; paths "$page"; }
    done
}

# seed TEXT: a tree whose page says it must not pass.
seed() {
    printf '%s\n' "$1" >"$folder/docs/page.md"
    [ -n "$(check "$folder")" ] || fail "not found: $1"
}

# seed_table FILE SCRIPT [COMMAND...]: sed's SCRIPT makes of a table, or of the page that has it, one that must not pass,
# though COMMAND makes the page anew.
seed_table() {
    file=$1 script=$2
    shift 2
    cp "$file" "$folder/whole"
    sed "$script" "$folder/whole" >"$file"
    "$@"
    [ -n "$(check "$folder")" ] || fail "not found: $file after sed '$script'"
    cp "$folder/whole" "$file"
}

self() {
    temporary_folder
    mkdir -p "$folder/docs/performance" "$folder/docs/decisions" "$folder/docs/studies" "$folder/examples"
    csv=$folder/docs/performance/one.csv
    printf '%s\n' '# Text.' '#$ true' 'call,bytes,us,MPI,ratio,ratio:low,ratio:high' \
        'alltoallv,8,0.10,0.20,2.01,2.0,2.1' >"$csv"
    printf '%s\n' '<!-- table one -->' '<!-- end -->' >"$folder/docs/performance.md"
    "$tables" write "$folder"
    for page in README.md CONTRIBUTING.md CHANGELOG.md examples/README.md docs/decisions/README.md docs/studies/page.md; do
        echo '# One heading, two' >"$folder/$page"
    done
    echo 'See [it](../README.md#one-heading-two) and `docs/page.md` and `docs/p*.md`.' >"$folder/docs/page.md"
    echo 'See [it](../../CHANGELOG.md#one-heading-two) and [it](../page.md).' >"$folder/docs/decisions/README.md"
    said=$(check "$folder")
    [ -z "$said" ] || fail "a tree without a mistake: $said"
    seed "$(seq -s ' ' 100)"
    seed "$(seq 121)"
    seed "- $(seq 121)"
    for kept in "$(seq 120)" "- $(seq 120)
- $(seq 120)" "\`\`\`
$(seq 121)
\`\`\`" "$(seq -f '    %.0f' 121)" "$(seq -f '| %.0f |' 121)"; do
        echo "$kept" >"$folder/docs/page.md"
        said=$(check "$folder")
        [ -z "$said" ] || fail "paragraphs that are short, tables and code: $said"
    done
    seed 'See [it](nothing.md).'
    seed 'See [it](../README.md#two).'
    seed 'See `docs/nothing.md`.'
    seed '    docs/nothing.sh run'
    echo 'See `docs/page.md`.' >"$folder/docs/page.md"
    seed_table "$folder/docs/performance.md" s/0.10/0.11/
    seed_table "$folder/docs/performance.md" /table/d
    seed_table "$csv" s/0.10/0.11/
    for script in /Text/d /true/d 's/,2.1$//'; do
        seed_table "$csv" "$script" "$tables" write "$folder"
        "$tables" write "$folder"
    done
    printf '%s\n' '## Figures' '| 2 | 8 | 0.10 | 0.20 | 2.01 |' >"$folder/README.md"
    [ -z "$(check "$folder")" ] || fail "figures that are there: $(check "$folder")"
    echo '| 2 | 8 | 0.10 | 0.20 | 2.02 |' >>"$folder/README.md"
    [ -n "$(check "$folder")" ] || fail "not found: figures that are nowhere"
    seq 121 >"$folder/README.md"
    [ -n "$(check "$folder")" ] || fail "not found: a README of 121 lines"
    exit $failed
}

[ "$1" != --self ] || self
said=$(check "$1")
[ -z "$said" ] || { echo "$said"; exit 1; }
