#!/bin/sh
# Counts the lines that the tests of the short form run, without MPI and on both MPIs, and merges the counts (lcov):
# which share of each layer's lines runs in any of them, and which lines in none.
#
#   tests/coverage.sh                          builds build/nompi-coverage, openmpi-coverage and mpich-coverage; tests; reports
#   tests/coverage.sh report                   reports what the builds counted, earlier tests included
#   tests/coverage.sh kinds                    how many lines tests/unrun.txt names for each reason
#   tests/coverage.sh report api/call          the lines below this path that no test runs
#
# The lines of each file that no test runs stand in tests/unrun.txt, with their reasons. A file that has more of them is
# an error, and its lines are printed.
#
# It writes build/coverage.info, which genhtml turns into pages. Left out are tests that run none of the library's code
# in these builds: those of formatting, pages, installations and symbols. A test that fails is an error, but for soaks:
# what the counts take is memory that they judge. Ranks that end by a signal count nothing.
set -eu
. "$(dirname "$0")/functions.sh"
cd "$(dirname "$0")/.."
layers="api hier internode intranode core"
presets="nompi-coverage openmpi-coverage mpich-coverage"
others='^(docs|install|lint|floors|symbols|packaging|layers|words|names|link|options|systems)'
command -v lcov >/dev/null || { echo "coverage: there is no lcov (Debian's package lcov)" >&2; exit 2; }

# test_all: builds and tests each preset.
test_all() {
    for preset in $presets; do
        cmake --preset "$preset" -D STRATA_LINT=OFF -D CMAKE_C_COMPILER_LAUNCHER="$(command -v ccache)" >/dev/null
        cmake --build --preset "$preset" --parallel "$(nproc)"
        find "build/$preset" -name '*.gcda' -delete
        ctest --preset "$preset" -LE '^long$' -E "$others|^soak(\$| over)" --parallel "$(nproc)" || fail "tests of $preset"
        ctest --preset "$preset" -R '^soak($| over)' || true
    done
}

# merge: of the layers' lines, into build/coverage.info.
merge() {
    temporary_folder
    set --
    for preset in $presets; do
        lcov --quiet --capture --no-external --base-directory "$PWD" --directory "build/$preset" --output-file "$folder/$preset" >"$folder/said" 2>&1 ||
            { cat "$folder/said" >&2; exit 1; }
        set -- "$@" --add-tracefile "$folder/$preset"
    done
    lcov --quiet "$@" --output-file "$folder/all" 2>/dev/null
    set -f # the patterns are lcov's
    # shellcheck disable=SC2046 # a pattern for each layer
    lcov --quiet --extract "$folder/all" $(for layer in $layers; do echo "$PWD/$layer/*"; done) --output-file build/coverage.info
}

# shares: a row for each layer.
shares() {
    awk -F '[:,]' -v root="$PWD/" -v layers="$layers" '
        /^SF:/ { layer = substr($2, length(root) + 1); sub("/.*", "", layer) }
        /^DA:/ { lines[layer]++; run[layer] += $3 > 0 }
        function row(name, run, lines) { printf "%-10s %6d of %6d lines, %.1f %%\n", name, run, lines, 100 * run / lines }
        END {
            count = split(layers, name, " ")
            for (i = 1; i <= count; i++) {
                row(name[i], run[name[i]], lines[name[i]])
                all += lines[name[i]]
                ran += run[name[i]]
            }
            row("all", ran, all)
        }' build/coverage.info
}

# judge: holds the lines that no test runs against tests/unrun.txt.
judge() {
    awk -F '[:,]' -v root="$PWD/" '
        /^SF:/ { file = substr($2, length(root) + 1) }
        /^DA:/ && $3 == 0 { lines[file]++ }
        END { for (file in lines) print file, lines[file] }' build/coverage.info | sort >"$folder/found"
    known | awk '{ lines[$1] += $2 } END { for (file in lines) print file, lines[file] }' | sort >"$folder/known"
    join -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$folder/found" "$folder/known" >"$folder/both"
    awk '$2 < $3 { print $1 ": " $2 " lines do not run, tests/unrun.txt says " $3 }' "$folder/both"
    awk '$2 > $3 { print $1 }' "$folder/both" >"$folder/more"
    while read -r file; do unrun "$file"; done <"$folder/more"
    [ ! -s "$folder/more" ] || fail "more lines of these files do not run than tests/unrun.txt says"
}

# known: FILE LINES REASON for each reason of each file.
known() {
    sed '/^#/d; s/, / /g' tests/unrun.txt | awk '{ for (i = 2; i < NF; i += 2) print $1, $i, $(i + 1) }'
}

# unrun PATH: FILE:LINE: TEXT of each line below it that no test runs.
unrun() {
    awk -F '[:,]' -v root="$PWD/" -v below="$1" '
        /^SF:/ { file = substr($2, length(root) + 1); wanted = index(file, below) == 1; at = 0 }
        /^DA:/ && wanted && $3 == 0 {
            for (; at < $2; at++) getline text <(root file)
            print file ":" $2 ": " text
        }
        /^end_of_record/ { close(root file) }' build/coverage.info
}

case ${1:-} in
'') test_all; merge; shares; judge ;;
report) if [ -n "${2:-}" ]; then unrun "$2"; else merge; shares; judge; fi ;;
kinds) known | awk '{ lines[$3] += $2 } END { for (kind in lines) print lines[kind], kind }' | sort -rn ;;
*) echo "usage: $0 [report [PATH] | kinds]" >&2; exit 2 ;;
esac
exit $failed
