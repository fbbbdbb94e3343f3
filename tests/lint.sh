#!/bin/sh
# Checks the code with clang-format and clang-tidy 14, gcc 12 and cppcheck 2, the versions it is written for (Debian 12).
#
#   lint.sh format ROOT         every source and header is formatted by .clang-format, with no line above 100 columns and
#                               no blank line after the declarations at the head of a block
#   lint.sh --self              checks the last of these: seeded blank lines must be found, and only they
#   lint.sh tidy BUILD          clang-tidy on all files that BUILD/compile_commands.json compiles
#   lint.sh tidy BUILD REGEX CHECKS   on those that match, with changes to the checks
#   lint.sh analyze BUILD       gcc -fanalyzer and cppcheck on all files of the library that it compiles. What they say
#                               wrongly stands in tests/findings.txt, each line with its reason; each line must be said
# The static analyzer takes nine tenths of the time, most of it in its last steps into a few long functions. It follows
# each function for 2,000 steps, and for clang's own 225,000 where STRATA_TEST_LONG is set; no check is left out.
# Starting clang-tidy takes as long as a file or two, so one process takes many.
# Exit 77: another version is installed, so nothing was checked (ctest shows it as skipped).
set -eu
. "$(dirname "$0")/functions.sh"
blank_lines=$(cd "$(dirname "$0")" && pwd)/blank_lines.awk

# tool NAME: prints the program to call.
tool() {
    for candidate in "$1-14" "$1"; do
        if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then
            echo "$candidate"
            return
        fi
    done
    echo "$1 14 is not installed: nothing was checked" >&2
    exit 77
}

format() {
    program=$(tool clang-format)
    cd "$1"
    find . \( -name build -o -name '.?*' \) -prune -o \( -name '*.[ch]' -o -name '*.cc' \) -type f \
        -exec "$program" --dry-run --Werror --ferror-limit=3 {} +
    # It does not break comments, of which a test's `run:` is one line.
    find . \( -name build -o -name '.?*' \) -prune -o -name '*.[ch]' -type f -exec \
        awk 'length > 100 && !/^ \* (run|long):/ { print FILENAME ":" FNR ": more than 100 columns"; wide = 1 } END { exit wide }' {} + >&2
    # It keeps blank lines. Taken out by: awk -v fix=1 -f tests/blank_lines.awk FILE
    find . \( -name build -o -name '.?*' \) -prune -o -name '*.[ch]' -type f -exec awk -f "$blank_lines" {} + >&2
}

self() {
    temporary_folder
    cat >"$folder/seeded.c" <<'END'
static int f(const struct pair *p)
{
    int first = p->first;
    struct pair copies[2] = {
        {1, 2},
    }; /* of two */

    if (first) {
        const char *text;

        first = g(&text);

        first++;
    }
    h();

    return first;
}

struct pair {
    int first;

    int second;
};
END
    found=$(awk -f "$blank_lines" "$folder/seeded.c" | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | xargs)
    [ "$found" = "7 10" ] || fail "blank lines after declarations: found $found and not 7 10"
    awk -v fix=1 -f "$blank_lines" "$folder/seeded.c" >"$folder/fixed.c"
    awk -f "$blank_lines" "$folder/fixed.c" || fail "blank lines are left"
    [ "$(wc -l <"$folder/fixed.c")" -eq $(($(wc -l <"$folder/seeded.c") - 2)) ] || fail "another line was taken out"
    return $failed
}

tidy() {
    program=$(tool clang-tidy)
    # clang without its own OpenMP reads gcc's omp.h, but for one attribute that it does not know, and
    # none of the headers that lie beside it.
    steps=2000
    [ -z "${STRATA_TEST_LONG:-}" ] || steps=225000
    analyzer='--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang'
    mkdir -p "$1/lint" && rm -f "$1/lint/omp.h"
    sed 's/__malloc__ (omp_free),//' "$(gcc -print-file-name=include/omp.h)" >"$1/lint/omp.h"
    # shellcheck disable=SC2086 # the words of $analyzer
    sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$1/compile_commands.json" | sort -u | grep -E "$2" |
        xargs -P 2 -n 16 "$program" -p "$1" --checks="$3" --quiet --extra-arg="-idirafter$1/lint" \
        $analyzer --extra-arg=max-nodes=$steps \
        2>"$1/lint/stderr" || {
        grep -v -E 'warnings? generated' "$1/lint/stderr" >&2
        return 1
    }
}

# said_by_gcc BUILD, said_by_cppcheck ROOT: "TOOL FILE KIND" for each finding.
said_by_gcc() {
    awk -v root="$root/" '
        /^ *"directory":/ { split($0, part, "\""); folder = part[4] }
        /^ *"command":/ {
            command = $0
            sub(/^ *"command": "/, "", command)
            sub(/",*$/, "", command)
            gsub(/\\"/, "\"", command)
            gsub(/\\\\/, "\\", command)
            sub(/^[^ ]*ccache /, "", command)
            sub(/ -o [^ ]*/, " -o /dev/null", command)
            sub(/ -Werror/, "", command)
            file = command
            sub(/.* -c /, "", file)
            if (file ~ "^" root "(core|hier|internode|intranode|api|preload)/" && !seen[file]++)
                print "cd " folder " && " command " -fanalyzer -fno-diagnostics-show-caret"
        }' "$1/compile_commands.json" >"$folder/commands"
    [ -s "$folder/commands" ] || fail "$1 compiles nothing of the library"
    xargs -P 2 -d '\n' -n 1 sh -c <"$folder/commands" >"$folder/gcc" 2>&1 || { tail -20 "$folder/gcc"; fail "gcc"; }
    sed -n "s,^$root/\([^:]*\):.*\[-W\(analyzer-.*\)\]\$,gcc \1 \2,p" "$folder/gcc"
}

said_by_cppcheck() {
    cd "$root"
    cppcheck --quiet --enable=warning,portability,performance --std=c11 -I. -Iinclude -j2 \
        --template='cppcheck {file} {id}' core hier internode intranode api preload 2>&1
}

analyze() {
    case $(gcc -dumpversion) in 12*) ;; *) echo "gcc is not version 12: nothing was analyzed" >&2; exit 77 ;; esac
    cppcheck --version 2>/dev/null | grep -q '^Cppcheck 2\.' || { echo "cppcheck 2 is not installed: nothing was analyzed" >&2; exit 77; }
    root=$(cd "$(dirname "$0")/.." && pwd)
    temporary_folder
    { said_by_gcc "$1"; said_by_cppcheck; } | sort -u >"$folder/said"
    sed -n 's/^\([a-z]* [^ ]* [^ :]*\): .*/\1/p' "$root/tests/findings.txt" | sort -u >"$folder/known"
    diff "$folder/known" "$folder/said" || fail "< stands in tests/findings.txt and is not said; > is said and does not stand there"
    exit $failed
}

case ${1:-} in
--self) self ;;
analyze) analyze "$2" ;;
format) format "$2" ;;
tidy) tidy "$2" "${3:-.}" "${4:-}" ;;
*) echo "usage: $0 format ROOT | --self | tidy BUILD [REGEX CHECKS] | analyze BUILD" >&2; exit 2 ;;
esac
