#!/bin/sh
# One word, one thing: words that the project gave up stand neither in names nor in comments nor on pages. The
# glossary of docs/architecture.md has no more than 25 words, and none of the given-up ones.
#   words.sh ROOT     checks the tree; prints each place, exit 1 if there is any
#   words.sh --self   checks this check: each seeded violation must be found
set -eu
. "$(dirname "$0")/functions.sh"
most=25

# What is said now stands after the colon. Parts of names; names of include/strata.h stay, and so does what is printed.
parts="mate:peer mates:peers lend:expose lends:exposes lent:exposed lending:exposing lender:owner lenders:owners
price:cost prices:costs priced:estimated pricing:costing moment:stamp moments:stamps spot:span spots:spans"
# Words of comments and pages that have no other meaning here.
words="mate:local_peer mates:local_peers lend:expose lends:exposes lent:exposed lending:single_copy lender:owner
lenders:owners"

# found ROOT: each word that was given up, as FILE:LINE: WORD: say WORD. What stands in quotes or backticks, in blocks of
# pages, and in the tables of two pages is what programs print or read.
found() {
    (cd "$1" && find . \( -name build -o -name .git -o -path ./tests/programs -o -path ./examples \) -prune -o \
        \( -name '*.[ch]' -o -name '*.md' ! -name CHANGELOG.md \) -print | sed 's,^\./,,' | sort | xargs awk \
        -v parts="$parts" -v words="$words" '
        function table(text, into,    pair, n, i, w) {
            n = split(text, pair)
            for (i = 1; i <= n; i++) { split(pair[i], w, ":"); into[w[1]] = w[2] }
        }
        function say(word, new) { gsub("_", " ", new); print FILENAME ":" FNR ": " word ": say " new }

        function look_at_prose(text,    word, n, i) {
            gsub(/`[^`]*`/, "", text)
            n = split(tolower(text), word, /[^a-z_0-9]+/)
            for (i = 1; i <= n; i++) if (word[i] in no_word) say(word[i], no_word[word[i]])
        }
        function look_at_names(text,    name, part, n, i) {
            while (match(text, /[A-Za-z_][A-Za-z_0-9]*/)) {
                name = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                n = name in public ? 0 : split(tolower(name), part, /_+/)
                for (i = 1; i <= n; i++) if (part[i] in no_part) say(name, no_part[part[i]])
            }
        }
        BEGIN {
            table(parts, no_part)
            table(words, no_word)
            while ((getline line < "include/strata.h") > 0)
                while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
                    public[substr(line, RSTART, RLENGTH)]
                    line = substr(line, RSTART + RLENGTH)
                }
        }
        FNR == 1 { inside = 0; page = FILENAME ~ /\.md$/ }
        page && /^```/ { inside = !inside; next }
        FILENAME ~ /^docs\/(algorithms\.md|performance\/)/ && /^\|/ { next }
        page && inside { next }
        { gsub(/"([^"\\]|\\.)*"/, "\"\"") }
        page { look_at_prose($0); next }
        {
            for (rest = $0; rest != ""; rest = here ? substr(rest, here + 2) : "") {
                here = index(rest, inside ? "*/" : "/*")
                text = here ? substr(rest, 1, here - 1) : rest
                if (inside) look_at_prose(text); else look_at_names(text)
                inside = here ? !inside : inside
            }
        }')
}

# glossary ROOT: its words, from the table under "The words".
glossary() {
    sed -n '/^## The words/,/^## One call/ s/^| \([a-z][a-z -]*\) |.*/\1/p' "$1/docs/architecture.md" | grep -vx word
}

check() {
    found "$1" >"$folder/found"
    [ ! -s "$folder/found" ] || fail "given up: $(cat "$folder/found")"
    glossary "$1" >"$folder/glossary" || fail "docs/architecture.md has no glossary"
    count=$(wc -l <"$folder/glossary")
    [ "$count" -le "$most" ] || fail "the glossary has $count words, and may have $most"
    for pair in $parts $words; do
        ! grep -qx "${pair%:*}" "$folder/glossary" || fail "in the glossary, but given up: ${pair%:*}"
    done
    return $failed
}

# seed SENTENCE FILE LINE: a tree with this line must be reported with this sentence.
seed() {
    empty_folder "$folder/tree"
    mkdir -p "$folder/tree/include" "$folder/tree/docs" "$folder/tree/core"
    echo 'int lent_mapped;' >"$folder/tree/include/strata.h"
    printf '## The words\n\n| word | meaning |\n|---|---|\n| slot | a part |\n\n## One call\n' >"$folder/tree/docs/architecture.md"
    echo "$3" >>"$folder/tree/$2"
    if (check "$folder/tree") >"$folder/report" 2>&1; then
        [ -z "$1" ] || fail "not found: $1"
    elif [ -z "$1" ] || ! grep -qF -e "$1" "$folder/report"; then
        fail "not said: $1, but: $(cat "$folder/report")"
    fi
}

self() {
    seed 'core/a.c:1: strata_mate: say peer' core/a.c 'int strata_mate;'
    seed 'core/a.c:1: MOST_LENT: say exposed' core/a.c '#define MOST_LENT 1 /* one */'
    seed 'core/a.c:1: mates: say local peers' core/a.c 'int a; /* what mates have */'
    seed 'docs/page.md:1: lends: say exposes' docs/page.md 'A member lends its block.'
    seed 'the glossary has 26 words' docs/architecture.md "$(echo '## The words'; for i in a b c d e f g h i j k l m n o p q r s t u v w x y; do
        echo "| $i | a letter |"; done; echo '## One call')"
    seed 'in the glossary, but given up: moment' docs/architecture.md "$(printf '## The words\n| moment | a stamp |\n## One call\n')"
    seed '' core/a.c 'int lent_mapped; const char *word = "mate_input"; /* for a moment, what is printed as `lends` */'
    seed '' docs/page.md 'A plan says `lends`.'
    return $failed
}

temporary_folder
case ${1:-} in
--self) self ;;
"" | -*) echo "usage: $0 ROOT | --self" >&2; exit 2 ;;
*) check "$1" ;;
esac
