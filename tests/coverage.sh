#!/bin/sh
# Counts the lines that the tests of the short form run, without MPI and on both MPIs, and merges the counts (lcov):
# which share of each layer's lines runs in any of them, and which lines in none.
#
#   tests/coverage.sh                          builds build/nompi-coverage, openmpi-coverage and mpich-coverage; tests; reports
#   tests/coverage.sh report                   reports what the builds counted, earlier tests included
#   tests/coverage.sh report api/call          the lines below this path that no test runs
#
# It writes build/coverage.info, which genhtml turns into pages. Left out are tests that run none of the library's code
# in these builds: those of formatting, pages, installations and symbols. A test fails here where it counts what a
# program allocates or which symbols it has; the names are printed. Ranks that end by a signal count nothing.
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
        ctest --preset "$preset" -LE '^long$' -E "$others" --parallel "$(nproc)" || true
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
'') test_all; merge; shares ;;
report)
    [ -n "${2:-}" ] || merge
    if [ -n "${2:-}" ]; then unrun "$2"; else shares; fi
    ;;
*) echo "usage: $0 [report [PATH]]" >&2; exit 2 ;;
esac
