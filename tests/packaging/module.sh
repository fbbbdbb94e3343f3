#!/bin/sh
# The environment module, where modules are installed: its settings, also after its prefix was moved, and their
# removal.
#   module.sh BUILD VERSION
set -eu
. "$(dirname "$0")/../functions.sh"
build=$1 version=$2
command=$(ls /usr/lib/*/modulecmd.tcl /usr/lib/modulecmd.tcl /usr/share/lmod/lmod/libexec/lmod 2>/dev/null | head -n 1)
[ -n "$command" ] || { echo "neither Environment Modules nor Lmod is there (Debian: environment-modules)"; exit 77; }
temporary_folder
cmake --install "$build" --component pages --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/second"
prefix=$(cd "$folder/second" && pwd -P)

# modules ARGUMENT...: as the shell's function `module`.
modules() { eval "$("$command" sh "$@" 2>"$folder/said")"; }
MODULEPATH=$prefix/share/modulefiles
export MODULEPATH MODULES_SET_SHELL_STARTUP=0
modules load strata/"$version" || fail "module load: $(cat "$folder/said")"
case $PATH in
"$prefix/bin:"*) ;;
*) fail "PATH is $PATH" ;;
esac
# man looks beside the folders of PATH; a MANPATH of our own would hide the system's pages.
man -w 7 strata | grep -q "^$prefix/" || fail "man 7 strata is not that of the module"
case ${PKG_CONFIG_PATH-} in "$prefix/"*) ;; *) fail "PKG_CONFIG_PATH is ${PKG_CONFIG_PATH-}" ;; esac
[ "${CMAKE_PREFIX_PATH-}" = "$prefix" ] || fail "CMAKE_PREFIX_PATH is ${CMAKE_PREFIX_PATH-}"
modules unload strata/"$version"
case $PATH${LD_LIBRARY_PATH-}${PKG_CONFIG_PATH-}${CMAKE_PREFIX_PATH-} in
*"$prefix"*) fail "after unload the prefix is still on a path" ;;
esac
for file in share/bash-completion/completions/strata share/zsh/site-functions/_strata share/man/man1/strata.1 share/man/man3/strata_alltoallv.3; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
exit $failed
