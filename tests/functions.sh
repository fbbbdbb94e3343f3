# What the test scripts share. They begin with
#
#   . "$(dirname "$0")/functions.sh"
#
# and those that go on after a failure end with
#
#   exit $failed
failed=0

# fail MESSAGE...
fail() {
    echo "FAILED: $*" >&2
    failed=1
}

# expect CODE PATTERN COMMAND...: its exit code, and an extended regular expression that a line of it matches. Both streams go
# to the file "said" in the working folder.
expect() {
    code=$1 pattern=$2 got=0
    shift 2
    "$@" >said 2>&1 || got=$?
    [ "$got" -eq "$code" ] || { cat said; fail "exit code $got and not $code: $*"; }
    grep -qE -e "$pattern" said || { cat said; fail "no line matches \"$pattern\": $*"; }
}

# at_exit COMMAND: once, however the script ends.
at_exit() {
    # shellcheck disable=SC2064 # in the caller's quotes
    trap "$1" EXIT
    trap 'exit 130' HUP INT TERM
}

# Makes a folder, $folder, that is there as long as the script runs.
temporary_folder() {
    folder=$(mktemp -d)
    at_exit 'rm -rf "$folder"'
}

# empty_folder FOLDER: makes it, or takes out what is in it.
empty_folder() {
    rm -rf "$1"
    mkdir -p "$1"
}

# setting NAME: of the build in the folder $build, such as STRATA_MPI.
setting() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
