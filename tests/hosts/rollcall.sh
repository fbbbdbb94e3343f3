#!/bin/sh
# Two hosts record into one folder, and a rank of the second one is missing: `strata rollcall` names it with its host.
# The same where each host has its own folder.
#   rollcall.sh STRATA PROGRAM HOSTS...     HOSTS starts a program on both
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 program=$2
shift 2
"$(dirname "$0")/hosts.sh" check || exit
temporary_folder
mkdir "$folder/one" "$folder/two"
cd "$folder"
missing="wrong: rank 1 on host2 missing in call [0-9]+ of MPI_COMM_WORLD, allreduce of 4 B, MPI_INT, MPI_SUM, in which rank 0 on host1 waits"

# asks FOLDER...: until the rank is named
asks() {
    for try in $(seq 50); do
        "$strata" rollcall "$@" --after 0.3 >said 2>&1 || true
        ! grep -qE -e "$missing" said || break
        sleep 0.1
    done
    expect 1 "$missing" "$strata" rollcall "$@" --after 0.3
    expect 1 "^job [0-9a-f]+: 2 of 2 ranks of .* on 2 hosts, which stands still" "$strata" rollcall "$@" --after 0.3
    expect 1 "^  rank 1 on host2: outside collectives, behind " "$strata" rollcall "$@" --after 0.3
}

"$@" -- "$strata" run --record="$folder/one" -- "$program" missing 1 20 1 >told 2>&1 &
job=$!
at_exit 'kill $job 2>/dev/null || true; wait $job 2>/dev/null || true; rm -rf "$folder"'
asks one
for file in one/*; do
    if grep -q host2 "$file"; then
        mv "$file" two
    fi
done
asks one two one
exit $failed
