#!/bin/sh
# Checks the symbols that the shared library exports against api/symbols.map, which lists the symbols of all releases,
# and strata.h against both. api/ defines each symbol by its full name. The checker's library exports one function,
# and needs no MPI. The library calls nothing that lets other users read its memory (docs/security.md).
#   symbols.sh LIBRARY CHECKER     libstrata_openmpi.so, libstrata_check_openmpi.so
set -eu
. "$(dirname "$0")/functions.sh"
library=$1 checker=$2
root=$(cd "$(dirname "$0")/.." && pwd)
temporary_folder
cd "$folder"

# As "strata_alltoall STRATA_0.1"
awk '/^STRATA_.*{/ { release = $1 } /^ *strata_/ { sub(";", ""); print $1, release }' "$root/api/symbols.map" | sort >released
nm -D --defined-only "$library" | sed -n 's/.* T \([^@]*\)@*\(.*\)/\1 \2/p' | sort >shown
sed -n 's/^STRATA_PUBLIC .*[ *]\(strata_[a-z0-9_]*\)(.*/\1/p' "$root/include/strata.h" | sort >declared
cut -d ' ' -f 1 released >names

comm -23 released shown >missing
comm -13 released shown >extra
comm -13 names declared >new
comm -23 names declared >gone
[ ! -s missing ] || fail "of a release, but not shown by ${library##*/}: $(cat missing)"
[ ! -s extra ] || fail "shown by ${library##*/}, but of no release: $(cat extra)"
[ ! -s new ] || fail "new in strata.h, to be added to api/symbols.map under the next release: $(cat new)"
[ ! -s gone ] || fail "of a release, but no more in strata.h: $(cat gone)"
defined "$root/api" | sort >defined
comm -23 names defined >hidden
[ ! -s hidden ] || fail "no line of api/ defines $(cat hidden)"
shown=$(nm -D --defined-only "$checker" | awk '{ print $3 }')
[ "$shown" = strata_check_plan ] || fail "${checker##*/} shows $shown"
needed=$(readelf -d "$checker" | sed -n 's/.*NEEDED.*\[\(lib[^c].*\)\]/\1/p')
[ -z "$needed" ] || fail "${checker##*/} needs $needed"
shown=$(nm -D --undefined-only "$library" | grep -wE 'prctl|ptrace') && fail "${library##*/} calls $shown"
[ -s released ] || fail "api/symbols.map lists nothing"
exit $failed
