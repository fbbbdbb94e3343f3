#!/bin/sh
# Words with spaces and quotes arrive unchanged, from a folder with a space in its name, and without input.
#   words.sh OPTION...          of hosts.sh: --mpi openmpi --mpiexec mpirun.openmpi
set -eu
. "$(dirname "$0")/../functions.sh"
here=$(cd "$(dirname "$0")" && pwd)
temporary_folder
place="$folder/it's a folder"
cp -r "$here" "$place"
cd "$place"
said=$(LD_PRELOAD='libm.so.6 libdl.so.2' ./hosts.sh run --ranks 1,1 "$@" -- \
    sh -c 'printf "%s\n" "$(printf "<%s>" "$@" "${LD_PRELOAD##*:}" "$PWD")"' sh "a b" "c'd" '$x' '' <&-)
line="<a b><c'd><\$x><><libm.so.6 libdl.so.2><$place>"
[ "$(printf '%s\n' "$said" | grep -oF -e "$line" | grep -c '')" -eq 2 ] || {
    echo "$said, not twice $line"
    exit 1
}
echo "words arrive"
