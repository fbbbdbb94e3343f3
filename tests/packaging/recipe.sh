#!/bin/sh
# The recipe for Spack, tested without Spack: Python compiles it, and the options that it names exist.
set -eu
. "$(dirname "$0")/../functions.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
recipe=$root/packaging/spack/package.py
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || fail "Python does not compile $recipe"
for option in $(grep -o '"\(STRATA\|MPI\)_[A-Z_]*"' "$recipe" | tr -d '"' | sort -u); do
    grep -q "$option" "$root/CMakeLists.txt" "$root"/cmake/*.cmake || fail "$recipe: there is no $option"
done
version=$(sed -n 's/^#define STRATA_VERSION_STRING "\(.*\)"/\1/p' "$root/include/strata.h")
grep -q "version(\"$version\")" "$recipe" || fail "$recipe: its version is not $version"
exit $failed
