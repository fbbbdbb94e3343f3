#!/bin/sh
# adding.sh SOURCE FOLDER "PAGE..." MPI CMAKE-ARGUMENT...: does what docs/PAGE.md says in a copy of the sources, and
# nothing else. The additions are then planned, proved and run. Several pages go into one copy, which is built once.
# MPI has the values of STRATA_MPI.
#
# A block of C on the page is an addition. The line before it names its place:
#   `FILE`:                       a new file
#   In `FILE`, before `TEXT`:     before the one line with the text; likewise: after, instead of
# The page also states how many additions there are, in how many files: all of them; then those of its sections 1 to 4,
# of section 5 and of section 6, if it has them.
set -eu
. "$(dirname "$0")/functions.sh"
source=$1
copy=$2/adding
pages=$3
mpi=$4
shift 4
empty_folder "$copy"
at_exit 'rm -rf "$copy"'
copy_sources "$source" "$copy"

# walk PAGE
# shellcheck disable=SC2016 # the $ are for awk
walk() {
    awk -v copy="$copy" '
        function fail(sentence) { print FILENAME ":" FNR ": " sentence; exit failed = 1 }

        # Counts the place, of all (0) or of a group of sections.
        function count(group) { places[group]++; files[group] += !seen[group, file]++ }

        # Puts the block into the file, at the one line that holds the text.
        function put(    old, line, here, found) {
            while ((getline line < file) > 0) {
                here = index(line, text) > 0
                found += here
                old = old (here && how != "after" ? block : "") (here && how == "instead of" ? "" : line "\n") \
                    (here && how == "after" ? block : "")
            }
            close(file)
            if (found != 1)
                fail(found + 0 " lines of " file " hold: " text)
            printf "%s", old >file
            close(file)
        }

        /^```c$/ && how { inside = 1; block = ""; next }
        /^```$/ && inside {
            if (how == "new") { printf "%s", block >file; close(file) } else put()
            count(0)
            count(section < 5 ? 1 : section - 3)
            inside = 0
            how = ""
        }
        inside { block = block $0 "\n"; next }
        /^In `[^`]*`, (after|before|instead of) `[^`]*`:$/ {
            split($0, part, "`")
            file = copy "/" part[2]
            how = part[3]
            gsub(/, | $/, "", how)
            text = part[4]
        }
        /^`[^`]*`:$/ { file = copy "/" $0; gsub(/[`:]/, "", file); how = "new" }
        /^## [0-9]/ { section = $2 + 0 }
        {
            for (rest = $0; match(rest, /[0-9]+ (places )?in [0-9]+ files?/); rest = substr(rest, RSTART + RLENGTH)) {
                split(substr(rest, RSTART, RLENGTH), word, /[a-z ]+/)
                said = said " " word[1] " in " word[2]
            }
        }
        END {
            for (group = 0; group <= 3; group++)
                if (group != 1 && places[group] || group == 1 && places[1] < places[0])
                    right = right " " places[group] " in " files[group]
            if (!failed && said != right)
                fail("it has places in files:" right ", and says:" said)
            exit failed
        }' "$source/docs/$1.md"
}

# build TARGET...
build() {
    cmake --build $build -j 2 --target "$@" >said || { cat said; exit 1; }
}

# run TEST...: tests of the copy.
run() {
    for test in "$@"; do
        ctest --test-dir $build --no-tests=error --output-on-failure -R "^$test\$"
    done
}

# plan COLLECTIVE ALGORITHM PATTERN: that of rank 4, which bounds the call, has such a line, is priced and proved.
build=build/copy # as deep as a build folder of the presets
strata=$build/strata-nompi
plan() {
    for pattern in "$3" '^  a call ' '^proof *right on all 13 ranks'; do
        expect 0 "$pattern" "$strata" plan "$1" --algo "$2" --topo "node:4,9 rank:13" --rank 4
    done
}

# all COLLECTIVE ALGORITHM PATTERN: and all that is done with every row, for this one.
all() {
    build strata_tool sim_test_virtual_blocks hier_test_catalogue hier_test_formulas
    plan "$@"
    export STRATA_TEST_ROW="$2" STRATA_TEST_SEEDS=0,100
    run sim/virtual_blocks hier/catalogue hier/formulas
}

# It runs between nodes, too, by its row.
algorithm() {
    build strata_tool hier_test_node_allgather
    plan allgather node_allgather:between=direct_allgather between=direct_allgather
    expect 0 '^between=direct_allgather: run' $build/tests/hier_test_node_allgather
    all allgather direct_allgather 'phase "everybody to everybody"'
    expect 0 '^direct_allgather$' "$strata" list allgather
}

step() {
    build core_test_plan_text core_test_check_blocks sim_test_trace sim_test_sampled
    run core/plan_text core/check_blocks sim/trace sim/sampled
    all scan doubling_scan 'clear set <work 0 of 1>'
}

# Calls need MPI; what proves and runs plans does not.
collective() {
    if [ "$mpi" != off ]; then
        build mpi_test_api_broadcast mpi_test_api_collectives strata_shared
        run symbols 'mpi/api_broadcast 4' 'mpi/api_collectives 4'
        return
    fi
    build core_test_plan_text
    run core/plan_text
    all broadcast linear_broadcast 'recv_blocks rank 0'
}

for page in $pages; do
    walk "$page"
done
cd "$copy"
# Compiled as the sources were, so what the pages leave as it is comes from a compiler cache.
cmake -S . -B $build -G Ninja -DSTRATA_MPI="$mpi" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" >/dev/null
for page in $pages; do
    case $page in
    adding-an-algorithm) algorithm ;;
    adding-a-step) step ;;
    adding-a-collective) collective ;;
    esac
done
# shellcheck disable=SC2154 # of functions.sh
exit "$failed"
