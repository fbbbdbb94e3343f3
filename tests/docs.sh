#!/bin/sh
# Checks the pages. Each path and each link that they name exists. No line is longer than 120 columns (except tables
# and output of programs), and no paragraph than 120 words. README.md has at most 120 lines. Its figures stand in
# the pages of docs/performance/, whose tables are those of the CSVs there. Prints each violation as PAGE: sentence; exit
# 1 if there is any.
#   docs.sh ROOT      checks the tree
#   docs.sh --self    checks this check: each seeded violation must be found
set -eu
. "$(dirname "$0")/functions.sh"
tables=$(cd "$(dirname "$0")/.." && pwd)/docs/tables.sh

# scan PAGE...: what one program finds in all pages. Violations, as "! PAGE: sentence"; files that links lead to, as
# "> PAGE LINK FILE"; paths in backquotes and in commands, as "? PAGE PATH". Headings are known as links call them: lower
# case, hyphens for spaces, no punctuation. Two pages are written by programs, which have tests of their own: their lines
# are as they are.
scan() {
    awk -v folders="$folders" -v pages=$# '
        function say(sentence) { print "! " page ": " sentence }
        function end() { # of a paragraph; outside tables and code. An item of a list is a paragraph
            if (words > 120) say("the paragraph that begins in line " first " has " words " words")
            words = 0
        }
        function link(to, file) {
            file = to ~ /^#/ ? page to : folder to
            while (match(file, /[^\/.][^\/]*\/\.\.\//)) file = substr(file, 1, RSTART - 1) substr(file, RSTART + RLENGTH)
            if (file ~ /#/ && !(file in known)) say("links to " to ", and there is no such heading")
            sub(/#.*/, "", file)
            if (!(("> " file) in seen)) print "> " page " " to " " file
            seen["> " file]
        }
        function links(line, to) {
            while (match(line, /\]\([^)]*\)/)) {
                to = substr(line, RSTART + 2, RLENGTH - 3)
                line = substr(line, RSTART + RLENGTH)
                if (to !~ /^https?:/) link(to)
            }
        }
        function paths(line, count, word, i) { # words in capitals stand for a name that the reader chooses
            count = split(line, word, /[`" ()]/)
            for (i = 1; i <= count; i++) {
                if (word[i] !~ "^(\\.\\./)?(" folders ")/[A-Za-z0-9_./*-]*$" || word[i] ~ /[A-Z][A-Z]/) continue
                sub(/^\.\.\//, "", word[i])
                sub(/\.*$/, "", word[i])
                if (!(("? " word[i]) in seen)) print "? " page " " word[i]
                seen["? " word[i]]
            }
        }
        FNR == 1 { # each page is read twice, and the first reading finds the headings
            end()
            reading++
            fenced = 0
            page = FILENAME
            folder = page ~ /\// ? page : ""
            sub(/[^\/]*$/, "", folder)
            generated = page == "docs/algorithms.md" || page == "docs/torus-stages.md"
        }
        reading <= pages {
            if (!/^#+ /) next
            sub(/^#+ /, "")
            gsub(/ /, "-")
            $0 = tolower($0)
            gsub(/[^a-z0-9_-]/, "")
            known[page "#" $0]
            next
        }
        { links($0) }
        !generated && length($0) > 120 && !/^\|/ && /[^ ] +[^ ]/ { say("line " FNR " has " length($0) " columns") }
        !generated { paths($0) }
        /^ *```/ { end(); fenced = !fenced; next }
        fenced || (/^    / && !words) { next }
        /^ *$/ || /^#/ || /^ *\|/ { end(); next }
        /^ *([-*+]|[0-9]+\.) / { end(); words = -1 }
        words < 1 { first = FNR }
        { words += NF }
        END { end() }' "$@" "$@"
}

# is_there FILE...: what a pattern stands for, or the pattern itself.
is_there() { [ -e "$1" ]; }

# is_test AREA/NAME: as ctest lists it, or the beginning of such a name.
is_test() {
    [ -f "tests/${1%/*}/test_${1##*/}.c" ] || grep -q "\"${1##*/} " "tests/${1%/*}/CMakeLists.txt" 2>/dev/null
}

# is_added FILE: by a page that adds it.
is_added() { grep -qsx -e "\`$1\`:" docs/adding-*.md; }

# pages PAGE...: says what scan found. * stands for some files. A program may be named without its .c, and so may a test.
pages() {
    for page in "$@"; do
        [ -s "$page" ] || { echo "$page: is not there, or empty"; return; }
    done
    scan "$@" | while read -r kind page path file; do
        case $kind in
            '!') echo "$page $path $file" ;;
            '>') [ -e "$file" ] || echo "$page: links to $path, which is not there" ;;
            # shellcheck disable=SC2086 # a pattern
            '?') is_there $path || [ -f "$path.c" ] || is_test "$path" || is_added "$path" || echo "$page: names $path, which is not there" ;;
        esac
    done
}

# figures: README's are lines of docs/performance/: of alltoallv, these bytes, both times and their ratio.
figures() {
    sed -n '/^## Figures/,/^## [^F]/s/^| [0-9]* | \([0-9]* | [0-9.]* | [0-9.]* | [0-9.]*\) |$/\1/p' README.md | while read -r row; do
        grep -qF "| alltoallv | $row (" docs/performance/*.md || echo "README.md: has figures that docs/performance/ has not: $row"
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
    pages README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/*/*.md examples/README.md
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
    printf '%s\n' '<!-- table one -->' '<!-- end -->' >"$folder/docs/performance/page.md"
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
    seed_table "$folder/docs/performance/page.md" s/0.10/0.11/
    seed_table "$folder/docs/performance/page.md" /table/d
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
