#!/bin/sh
# Checks the objects of a build against tests/layers.txt, by the symbols that they define and use. No object uses a
# symbol of an upper layer or floor. No more than four objects use each other in a circle. No header declares a
# function that another folder defines. Prints a sentence for each violation; exit 1 if there is any.
#
#   floors.sh BUILD         the objects of this build, and the headers of the tree; exit 77 where there is no such build
#   floors.sh --self [CC]   checks this check: each seeded violation must be found, and only it
set -eu
. "$(dirname "$0")/functions.sh"
here=$(cd "$(dirname "$0")" && pwd)

# Objects whose source is still there, as "OBJECT name".
objects() {
    find "$1"/CMakeFiles/*.dir -name '*.c.o' | while read -r object; do
        source=${object#*.dir/}
        source=${source%.o}
        [ ! -f "$2/$source" ] || echo "$object $source"
    done | sort -u -k 2,2
}

# "SOURCE uses SYMBOL", "SOURCE has SYMBOL". MPI's own names, which the preload library has, too, are nobody's,
# and so are weak functions, by which a library hears of another one's work where it is there.
symbols() {
    objects "$1" "$2" >"$folder/objects"
    [ ! -s "$folder/objects" ] || cut -d ' ' -f 1 "$folder/objects" | xargs nm -A -g -P | awk '
        { source = $1; sub(/.*\.dir\//, "", source); sub(/\.o(\[.*)?:$/, "", source) }
        tolower($2) !~ /^p?mpi_/ && $3 !~ /^[VW]$/ { print source, $3 ~ /^[Uvw]$/ ? "uses" : "has", $2 }'
}

# "HEADER declares NAME": functions that are not inline. Rows of tables are declared beside their table.
declarations() {
    (cd "$1" && find . \( -name build -o -name tests -o -name include -o -name '.?*' \) -prune -o -name '*.h' -print |
        sed 's,^\./,,' | sort | xargs awk '
        function end() {
            open = 0
            gsub(/__attribute__ *\(\([^;]*\)\)/, "", statement)
            if (match(statement, /[a-z][A-Za-z0-9_]+\(/))
                print FILENAME, "declares", substr(statement, RSTART, RLENGTH - 1)
        }
        FNR == 1 { open = 0 }
        !open && /^[a-zA-Z_].*/ && !/^(static|typedef|enum|union|STRATA_INLINED|_Static_assert)|\{/ {
            open = 1
            statement = ""
        }
        open { statement = statement $0 }
        open && /\{/ { open = 0 }
        open && /;/ { end() }')
}

# shellcheck disable=SC2016 # the $ are for awk
judge() {
    awk -v table="$here/layers.txt" -v most=4 '
    function read_row(line,    words, count, i) {
        sub(/#.*/, "", line)
        count = split(line, words, /:? +/)
        for (i = 2; i <= count; i++)
            if (words[1] ~ /\/$/)
                floor[words[1] words[i]] = i
            else
                below[words[1]] = below[words[1]] " " words[i]
    }

    function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }

    # The longest of its folders that the table names; "": it is of no layer.
    function layer_of(path) {
        while (!(path in below) && path ~ /\//)
            path = folder_of(path)
        return path in below ? path : ""
    }

    function floor_of(folder) { return folder in floor ? floor[folder] : 1000 }

    function names(layer, folder) { return index(below[layer] " ", " " folder " ") > 0 }

    # What a layer may use: another, or one of its folders, or what programs use, too.
    function may_use(layer, other, public) {
        return names(layer, layer_of(other)) || names(layer, folder_of(other)) || (public && names(layer, "include"))
    }

    function violation(sentence) { print sentence; bad = 1 }

    function look_up(from, symbol, to,    layer) {
        layer = layer_of(from)
        if (layer == layer_of(to) && floor_of(folder_of(from)) >= floor_of(folder_of(to)))
            return
        if (layer == layer_of(to) || !may_use(layer, to, symbol in public))
            violation(from " uses " symbol ", which " to " defines, upward")
    }

    # Tarjan: a circle is complete where its first object is left.
    function visit(from,    list, count, i, to, circle, size) {
        low[from] = number[from] = ++visited
        stack[++depth] = from
        waits[from] = 1
        count = split(edges[from], list)
        for (i = 1; i <= count; i++) {
            to = list[i]
            if (!(to in number)) {
                visit(to)
                if (low[to] < low[from])
                    low[from] = low[to]
            } else if (waits[to] && number[to] < low[from]) {
                low[from] = number[to]
            }
        }
        if (low[from] != number[from])
            return
        do {
            to = stack[depth--]
            waits[to] = 0
            of[to] = from
            circle = circle (size++ ? ", " : "") to
        } while (to != from)
        if (size > most) {
            violation(size " objects use each other in a circle, but " most " may: " circle)
            large[from] = 1
        }
    }

    BEGIN {
        while ((getline line < table) > 0)
            read_row(line)
    }
    $2 == "public" { public[$1] = 1 }
    $2 != "public" && layer_of($1) ~ /^(|apps|bench|examples)$/ { next }
    $2 == "has" { defines[$3] = $1; object[$1] = 1 }
    $2 == "uses" { uses[$1, $3] = 1 }
    $2 == "declares" { declares[$1, $3] = 1 }
    END {
        for (key in uses) {
            split(key, pair, SUBSEP)
            to = defines[pair[2]]
            if (to == "" || to == pair[1])
                continue
            look_up(pair[1], pair[2], to)
            edges[pair[1]] = edges[pair[1]] " " to
            by[pair[1], to] = pair[2]
        }
        for (key in declares) {
            split(key, pair, SUBSEP)
            to = defines[pair[2]]
            if (to != "" && folder_of(to) != folder_of(pair[1]))
                violation(pair[1] " declares " pair[2] ", which " to " defines, in another folder")
        }
        for (from in object) {
            objects++
            if (!(from in number))
                visit(from)
        }
        for (key in by) {
            split(key, pair, SUBSEP)
            if (of[pair[1]] == of[pair[2]] && of[pair[1]] in large)
                print "    " pair[1] " uses " by[key] ", which " pair[2] " defines"
        }
        if (!objects)
            violation("there are no objects")
        exit bad
    }'
}

# check BUILD ROOT
check() {
    {
        sed -n 's/^STRATA_PUBLIC .*[ *]\(strata_[a-z0-9_]*\)(.*/\1 public/p' "$2/include/strata.h"
        symbols "$1" "$2"
        declarations "$2"
    } >"$folder/facts"
    judge <"$folder/facts" >"$folder/said" || failed=1
    grep -v '^ ' "$folder/said" | sort
    grep '^ ' "$folder/said" | sort
    return $failed
}

# source_file FILE TEXT: a file of the seeded tree; compiled, if it is no header.
source_file() {
    mkdir -p "$tree/${1%/*}" "$tree/build/CMakeFiles/all.dir/${1%/*}"
    printf '%s\n' "$2" >"$tree/$1"
    case $1 in *.c) "$cc" -c -o "$tree/build/CMakeFiles/all.dir/$1.o" "$tree/$1" ;; esac
}

# seed SENTENCE FILE TEXT...: must be reported, in this one sentence, a pattern of the shell; "": nothing must be.
seed() {
    sentence=$1
    shift
    rm -rf "${tree:?}"
    mkdir -p "$tree/include"
    echo 'STRATA_PUBLIC int strata_public(void);' >"$tree/include/strata.h"
    while [ $# -gt 0 ]; do
        source_file "$1" "$2"
        shift 2
    done
    right=0
    found=$(check "$tree/build" "$tree") && right=1
    found=$(echo "$found" | grep -v '^ ') || true
    [ $right -eq 1 ] || [ -n "$found" ] || fail "nothing is said, but it fails"
    # shellcheck disable=SC2254 # it is a pattern
    case $found in
    $sentence) ;;
    *) fail "not said: $sentence, but: $found" ;;
    esac
}

# circle SENTENCE COUNT: the same of so many objects of one folder, each of which uses the next one.
circle() {
    sentence=$1 count=$2
    set --
    for i in $(seq "$count"); do
        next=$((i % count + 1))
        set -- "$@" "core/base/c$i.c" "void strata_c$i(void); void strata_c$next(void);
            void strata_c$i(void) { strata_c$next(); }"
    done
    seed "$sentence" "$@"
}

self() {
    temporary_folder
    tree=$folder/tree
    uses='int strata_there(void); int strata_here(void); int strata_here(void) { return strata_there(); }'
    there='int strata_there(void); int strata_there(void) { return 0; }'
    seed "" api/call/a.c "$uses" api/attach/b.c "$there"
    seed "" api/a.c "$uses" api/report/b.c "$there"
    seed "api/attach/a.c uses strata_there, which api/call/b.c defines, upward" api/attach/a.c "$uses" api/call/b.c "$there"
    seed "core/plan/a.c uses strata_there, which core/engine/b.c defines, upward" core/plan/a.c "$uses" core/engine/b.c "$there"
    seed "hier/a.c uses strata_there, which api/call/b.c defines, upward" hier/a.c "$uses" api/call/b.c "$there"
    seed "api/call/a.c uses strata_there, which api/b.c defines, upward" api/call/a.c "$uses" api/b.c "$there"
    seed "intranode/a.c uses strata_there, which internode/mpi/b.c defines, upward" intranode/a.c "$uses" \
        internode/mpi/b.c "$there"
    seed "tools/plan/a.c uses strata_there, which internode/mpi/b.c defines, upward" tools/plan/a.c "$uses" \
        internode/mpi/b.c "$there"
    seed "" tools/plan/a.c "$uses" internode/split/b.c "$there"
    seed "tools/plan/a.c uses strata_there, which api/call/b.c defines, upward" tools/plan/a.c "$uses" api/call/b.c "$there"
    seed "" tools/plan/a.c 'int strata_public(void); int main(void) { return strata_public(); }' \
        api/report/b.c 'int strata_public(void); int strata_public(void) { return 0; }'
    seed "api/attach/a.c uses strata_data, which api/call/b.c defines, upward" \
        api/attach/a.c 'extern int strata_data; int strata_here(void); int strata_here(void) { return strata_data; }' \
        api/call/b.c 'int strata_data = 1;'
    seed "api/attach/a.h declares strata_there, which api/call/b.c defines, in another folder" \
        api/attach/a.h 'struct strata_state *strata_there(int a,
    int b);' api/call/b.c "$there"
    seed "" api/attach/a.h 'static inline int strata_a(void)
{
    return strata_there();
}' api/attach/b.c "$there"
    heard='__attribute__((weak)) int strata_there(void);'
    seed "" api/attach/a.h "$heard" api/attach/b.c "$heard $uses" preload/c.c "$heard $there"
    seed "api/attach/b.c uses strata_there, which preload/c.c defines, upward" api/attach/b.c "$uses" preload/c.c "$there"
    seed "there are no objects" api/attach/a.h 'int strata_none(void);'
    circle "" 4
    circle "5 objects use each other in a circle, but 4 may: *" 5
    return $failed
}

case ${1:-} in
--self)
    cc=${2:-cc}
    self
    ;;
"" | -*) echo "usage: $0 BUILD | --self [CC]" >&2; exit 2 ;;
*)
    if [ ! -d "$1" ]; then
        echo "there is no build in $1"
        exit 77
    fi
    temporary_folder
    check "$1" "${here%/*}"
    ;;
esac
