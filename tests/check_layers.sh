#!/bin/sh
# Checks that includes point down only, and that MPI, OpenMP, hwloc and the environment stay in the few files named
# for them. Prints each violation as FILE:LINE: sentence; exit 1 if there is any.
#
#   check_layers.sh ROOT     checks the tree
#   check_layers.sh --self   checks this check: each seeded violation must be found, and only it
set -eu
. "$(dirname "$0")/functions.sh"
table=$(cd "$(dirname "$0")" && pwd)/layers.txt

sources() {
    (cd "$1" && find . \( -name build -o -name tests -o -name '.?*' \) -prune -o \
        \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' \) -type f -print | sed 's,^\./,,' | sort)
}

# shellcheck disable=SC2016 # the $ are for awk
check() {
    root=$1
    sources "$root" | (cd "$root" && xargs awk -v table="$table" '
        # As "api: hier core" or, of the floors of a layer from the ground up, "api/: process types".
        function read_row(line,    words, count, i) {
            sub(/#.*/, "", line)
            count = split(line, words, /:? +/)
            if (words[1] !~ /\/$/) {
                for (i = 2; i <= count; i++)
                    below[words[1]] = below[words[1]] " " words[i]
            } else {
                floored[words[1]] = 1
                for (i = 2; i <= count; i++)
                    floor[words[1] words[i]] = i
            }
        }

        BEGIN {
            while ((getline line < table) > 0)
                read_row(line)

            # System header: the files that may include it.
            needs_mpi = "_s?mpi\\.[ch]$|^(api|apps|bench|examples|preload|sim/smpi)/"
            home["mpi.h"] = needs_mpi "|^include/strata\\.h$|^intranode/(arena|placement|signals)\\.h$"
            home["omp.h"] = "^intranode/team_omp\\.c$|^apps/|^bench/(copies|teams)\\.c$|^examples/norm\\.c$"
            home["hwloc.h"] = "^intranode/hardware_mpi\\.c$"
            home["fftw3.h"] = home["fftw3-mpi.h"] = "^apps/fft/"
            home["benchmark/benchmark.h"] = "^bench/strata_bench/google_benchmark\\.cc$"
            cplusplus = home["benchmark/benchmark.h"] "|^examples/|^sim/smpi/adapter\\.cc$"
            environment = "^core/base/config\\.c$|^(apps|bench)/|^sim/smpi/adapter\\.cc$"
        }

        function violation(sentence) { print FILENAME ":" FNR ": " sentence; bad = 1 }

        function allowed(folder) { return index(" " below[layer] " ", " " folder " ") > 0 }

        # Whether a floor may include it. What lies in the layer itself has no floor.
        function allowed_within(inner,    home, one) {
            home = FILENAME
            sub("/[^/]*$", "", home)
            one = inner
            sub("/.*", "", one)
            return one != layer || !(inner in floor) || !(home in floor) || floor[inner] <= floor[home]
        }

        # Whether the layer has floors, and the file lies in a folder that is none.
        function no_floor(    home) {
            home = FILENAME
            sub("/[^/]*$", "", home)
            return (layer "/") in floored && home != layer && !(home in floor)
        }

        function check_include(path,    folder, inner) {
            if (path == "strata.h")
                path = "include/strata.h"
            folder = inner = path
            sub("/[^/]*$", "", inner)
            if (!sub("/.*", "", folder) || folder ~ /^\./)
                violation("\"" path "\" is not written from the root of the repository")
            else if (!allowed(folder) && !allowed(inner))
                violation(layer " must not include " path)
            else if (!allowed_within(inner))
                violation("this folder must not include " path)
        }

        FNR == 1 {
            layer = FILENAME
            sub("/.*", "", layer)
            if (FILENAME ~ /^sim\/smpi\//)
                layer = "sim/smpi"
            if (!(layer in below))
                violation("no layer is named " layer)
            else if (no_floor())
                violation("no floor of this layer is named so")
            else if (FILENAME !~ /\.[ch]$/ && FILENAME !~ cplusplus)
                violation("Strata is written in C")
        }
        !(layer in below) { next }

        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            path = $0
            sub(/^[^"<]*["<]/, "", path)
            sub(/[">].*/, "", path)
            if (path in home) {
                if (FILENAME !~ home[path])
                    violation("<" path "> does not belong here")
            } else if ($0 ~ /include[ \t]*"/ || path == "strata.h") {
                check_include(path)
            }
            next
        }
        /^[ \t]*#[ \t]*pragma[ \t]+omp/ && FILENAME !~ home["omp.h"] {
            violation("OpenMP does not belong here")
        }
        /getenv[ \t]*\(|extern[ \t]+char[ \t]*\*+[ \t]*environ/ && FILENAME !~ environment {
            violation("core/base/config.c is the one file of the library that reads the environment")
        }
        END { exit bad }
    ')
}

# seed FILE LINE: one line in a tree of its own must be reported, at its place, and nothing else.
seed() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/${1%/*}"
    printf '#include <stdio.h>\n%s\n' "$2" >"$tree/$1"
    if found=$(check "$tree") || [ "$(echo "$found" | grep -c "^$1:2: ")" -ne 1 ] ||
        [ "$(echo "$found" | wc -l)" -ne 1 ]; then
        fail "not found as expected: $1: $2 (said: $found)"
    fi
}

# clean FILE LINE: must not be reported.
clean() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/${1%/*}"
    printf '%s\n' "$2" >"$tree/$1"
    found=$(check "$tree") || fail "wrongly found: $found"
}

self() {
    temporary_folder
    tree=$folder
    seed core/a.c '#include "hier/registry.h"'
    seed core/a.h '#include "sim/virtual/virtual.h"'
    seed core/a.c '#include "../api/state.h"'
    seed core/a.c '#include "plan.h"'
    seed core/a.c '#include <mpi.h>'
    seed core/a.c '#  include <omp.h>'
    seed core/a.c '    const char *text = getenv("HOME");'
    seed core/a.c 'extern char **environ;'
    seed internode/a.c '#include "intranode/wait.h"'
    seed internode/a.c '#include "hier/select.h"'
    seed internode/a_mpi.c '#pragma omp parallel'
    seed intranode/a.c '#include "internode/alltoall/sloav_rounds.h"'
    seed intranode/a.c '#include <hwloc.h>'
    seed hier/a.c '#include "sim/virtual/virtual.h"'
    seed hier/a.c '#include "api/attach/state.h"'
    seed sim/a.c '#include "internode/alltoall/sloav_rounds.h"'
    seed sim/a.c '#include "mpi.h"'
    seed sim/a.c '#include "hier/select.h"'
    seed api/a.c '#include "tools/info.h"'
    seed api/a.c '#include <hwloc.h>'
    seed api/types/a.c '#include "api/attach/state.h"'
    seed api/call/a.c '#include "api/request/request.h"'
    seed api/attach/a.c '#include "api/call/bound_call.h"'
    seed api/attach/a.c '#include "api/chain/chain.h"'
    seed core/plan/a.c '#include "core/cost/plan_cost.h"'
    seed internode/split/a.c '#include "internode/reduce/scan.h"'
    clean api/request/a.c '#include "api/call/call.h"'
    clean api/a.c '#include "api/explain/explain_say.h"'
    seed tools/a.c '#include "internode/alltoall/sloav_rounds.h"'
    seed tools/a.c '#include "internode/chain/chain_links.h"'
    seed tools/a.c '#include <mpi.h>'
    seed bench/a.c '#include <fftw3.h>'
    seed apps/is_sort/a.c '#include "core/plan/plan.h"'
    seed bench/strata_bench/a.c '#include <benchmark/benchmark.h>'
    seed bench/a.c '#include "api/attach/state.h"'
    seed preload/a.c '#include "hier/select.h"'
    seed examples/a.c '#include "core/base/error.h"'
    seed include/strata.h '#include "core/base/error.h"'
    seed core/a.c '#include <strata.h>'
    clean core/base/config.c 'value = getenv(name);'
    clean apps/is_sort/a.c 'value = getenv(name);'
    clean core/a.c '#include "core/plan/plan.h"'
    clean hier/a.c '#include "intranode/signal_tree.h"'
    seed sim/smpi/a.c '#include "api/attach/state.h"'
    clean sim/smpi/a.c '#include <mpi.h>'
    clean tools/a.c '#include "internode/split/split.h"'
    clean internode/mpi/transport_mpi.c '#include <mpi.h>'
    clean intranode/hardware_mpi.c '#include <hwloc.h>'
    clean intranode/team_omp.c '#pragma omp parallel'
    clean api/a.c '#include "include/strata.h"'
    clean apps/is_sort/a.c '#include <strata.h>'
    clean apps/fft/a.c '#include <fftw3-mpi.h>'
    clean examples/a.cc '#include <strata.h>'
    clean include/strata.h '#include <mpi.h>'
    clean bench/strata_bench/google_benchmark.cc '#include <benchmark/benchmark.h>'
    mkdir -p "$tree/bench" && echo 'int a;' >"$tree/bench/a.cc"
    check "$tree" | grep -q 'bench/a.cc:1: Strata is written in C' || fail "not found: a file in another language"
    rm -f "$tree/bench/a.cc"
    mkdir -p "$tree/api/misc" && echo 'int a;' >"$tree/api/misc/a.c"
    check "$tree" | grep -q 'api/misc/a.c:1: no floor' || fail "not found: a folder without a floor"
    rm -rf "$tree/api"
    mkdir -p "$tree/misc" && echo 'int a;' >"$tree/misc/a.c"
    check "$tree" | grep -q 'misc/a.c:1: no layer' || fail "not found: a folder without a layer"
    return $failed
}

case ${1:-} in
--self) self ;;
"" | -*) echo "usage: $0 ROOT | --self" >&2; exit 2 ;;
*) check "$1" ;;
esac
