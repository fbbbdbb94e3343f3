#!/bin/sh
# Ranks read blocks out of each other's memory, as a user without rights, and while a rank is killed. The job then
# ends, and no shared memory is left.
#   single_copy.sh PROGRAM LAUNCHER... PROGRAM: tests/mpi/test_single_copy.c
set -eu
. "$(dirname "$0")/functions.sh"
program=$1
shift
temporary_folder

in_memory() { find /dev/shm -mindepth 1 2>/dev/null | sort; }

# What is new and is no other job's: no process has it in its memory.
left() {
    in_memory | comm -13 "$folder/before" - | while read -r file; do
        grep -qsF "$file" /proc/[0-9]*/maps || echo "$file"
    done
}

in_memory >"$folder/before"
code=0
timeout 60 "$@" -n 3 "$program" killed >"$folder/said" 2>&1 || code=$?
if [ $code -eq 0 ] || [ $code -eq 124 ] || grep -q 'does not hold' "$folder/said"; then
    cat "$folder/said"
    fail "a rank that was killed: exit code $code"
fi
tries=50
while [ -n "$(left)" ] && [ $tries -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.1
done
[ -z "$(left)" ] || fail "stays in /dev/shm: $(left)"

nobody='setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs'
if [ "$(id -u)" -ne 0 ]; then
    echo "as a user without rights: the other tests are that"
elif ! $nobody test -x "$program" 2>/dev/null; then
    echo "as a user without rights: not run, for there is no setpriv, or such a user cannot read $program"
else
    mkdir "$folder/home"
    chmod 755 "$folder"
    chmod 777 "$folder/home"
    # shellcheck disable=SC2086 # words
    HOME=$folder/home OMPI_MCA_orte_tmpdir_base=$folder/home timeout 100 $nobody "$@" -n 3 "$program" || fail "as a user without rights"
fi
exit $failed
