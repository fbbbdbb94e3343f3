#!/bin/sh
# Counts the code, a line of a Markdown table for each folder: files, lines without comments and blank ones, functions, their median
# and longest length in lines, and the longest file.
#
#   count.sh [ROOT [FOLDER...]]     needs gcc, git, and Universal Ctags for the functions
set -eu
[ $# -gt 0 ] || set -- "$(dirname "$0")/.."
cd "$1"
shift
[ $# -gt 0 ] || set -- include preload api hier intranode internode sim core tools apps bench tests

# The C files of a folder, as git has them.
files() { git ls-files -- "$1" | grep -E '\.([ch]|cc)$'; }

# Lines of code: what is left when the preprocessor has taken the comments out.
lines() { gcc -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null | grep -c '[^[:space:]]' || true; }

lengths() {
    xargs ctags --languages=C --kinds-C=f --fields=+ne -f - |
        sed -n 's/.*line:\([0-9]*\).*end:\([0-9]*\).*/\1 \2/p' | awk '{ print $2 - $1 + 1 }' | sort -n
}

# row NAME, the files' names on standard input.
row() {
    list=$(cat)
    [ -n "$list" ] || return 0
    counts=$(for file in $list; do echo "$(lines "$file") $file"; done | sort -n)
    echo "$list" | lengths | awk -v name="$1" -v files="$(echo "$list" | wc -l)" \
        -v lines="$(echo "$counts" | awk '{ sum += $1 } END { print sum }')" \
        -v longest="$(echo "$counts" | tail -n 1 | awk '{ print $2 " (" $1 ")" }')" '
        { length_of[NR] = $1 }
        END {
            printf "| %s | %d | %d | %d | %d | %d | %s |\n", name, files, lines, NR, length_of[int((NR + 1) / 2)],
                length_of[NR], longest
        }'
}

echo "| folder | files | lines | functions | median | longest function | longest file (lines) |"
echo "|---|---|---|---|---|---|---|"
for folder in "$@"; do
    [ ! -d "$folder" ] || files "$folder" | row "\`$folder/\`"
done
for folder in "$@"; do
    [ ! -d "$folder" ] || files "$folder"
done | row "all"
