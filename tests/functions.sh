# Functions that the test scripts share. The scripts begin with
#
#   . "$(dirname "$0")/functions.sh"
#
# and scripts that go on after a failure end with
#
#   exit $failed
failed=0

# fail MESSAGE...
fail() {
    echo "FAILED: $*" >&2
    failed=1
}

# expect CODE PATTERN COMMAND...: the command must end with this exit code, and a line of its output must match the
# extended regular expression. Both streams go to the file "said" in the working folder.
expect() {
    code=$1 pattern=$2 got=0
    shift 2
    "$@" >said 2>&1 || got=$?
    [ "$got" -eq "$code" ] || { cat said; fail "exit code $got and not $code: $*"; }
    grep -qE -e "$pattern" said || { cat said; fail "no line matches \"$pattern\": $*"; }
}

# at_exit COMMAND: runs the command once, however the script ends.
at_exit() {
    # shellcheck disable=SC2064 # in the caller's quotes
    trap "$1" EXIT
    trap 'exit 130' HUP INT TERM
}

# Makes a folder, $folder, that exists while the script runs.
temporary_folder() {
    folder=$(mktemp -d)
    at_exit 'rm -rf "$folder"'
}

# needs_jemalloc: fails where jemalloc is not installed, and says so.
needs_jemalloc() {
    unset LD_PRELOAD
    [ -z "$(LD_PRELOAD=libjemalloc.so.2 true 2>&1)" ] && return 0
    echo "libjemalloc.so.2 is not installed" >&2
    return 1
}

# Puts an smpirun before the installed one. The file $folder/told then also has the simulator's own output, and
# nothing else; it includes jemalloc's statistics where the simulator runs on jemalloc.
smpirun_that_tells_of_jemalloc() {
    cat >"$folder/wrapper" <<END
#!/bin/sh
{ env MALLOC_CONF=stats_print:true "\$@" 2>&1 >&3 | tee -a $folder/told >&2; } 3>&1
END
    cat >"$folder/smpirun" <<END
#!/bin/sh
exec $(command -v smpirun) -wrapper $folder/wrapper "\$@"
END
    chmod +x "$folder/wrapper" "$folder/smpirun"
    PATH=$folder:$PATH
}

# on_jemalloc TIMES: so many simulators must have run on jemalloc.
on_jemalloc() {
    [ "$(grep -c "Begin jemalloc statistics" "$folder/told")" = "$1" ] || fail "not $1 ran on jemalloc"
}

# empty_folder FOLDER: makes the folder, or empties it.
empty_folder() {
    rm -rf "$1"
    mkdir -p "$1"
}

# copy_sources ROOT FOLDER: copies the sources without builds, as a clone has them. A compiler cache sees no
# difference.
copy_sources() {
    (cd "$1" && tar -cf - --exclude=./build --exclude=./.git .) | (cd "$2" && tar -xf -)
    export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR="$2"
}

# setting NAME: prints a setting of the build in the folder $build, such as STRATA_MPI.
setting() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# defined FOLDER...: prints the functions that are defined there under a name that stands in the sources, so that grep
# and ctags find it. They include the spellings that SPELLED gives a function of Fortran's, and what SERVE defines.
defined() {
    find "$@" -name '*.c' -exec sed -nE '/;$/! s/^[A-Za-z_][A-Za-z0-9_ *]*[ *]([A-Za-z_0-9]+)\(.*/\1/p' {} +
    find "$@" -name '*.c' -exec awk '/^(SPELLED|SERVE)\(/ { on = 1 } on { gsub(/[(),]/, " "); print } /\)$/ { on = 0 }' {} + |
        tr ' ' '\n'
}

# give_table [PAGE]: puts $folder/table into the page in place of the table that begins with the same line; without a page
# prints it.
give_table() {
    [ $# -gt 0 ] || { cat "$folder/table"; return; }
    awk -v table="$folder/table" 'BEGIN { getline head <table; close(table) }
        $0 == head { while ((getline line <table) > 0) print line; skip = 1 }
        !/^\|/ { skip = 0 } !skip' "$1" >"$folder/page" && cp "$folder/page" "$1"
}
