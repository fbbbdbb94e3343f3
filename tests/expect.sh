#!/bin/sh
# Runs a command and judges it by its exit code and its output (both streams together).
#
#   expect.sh CODE PATTERN[@PATTERN...] COMMAND...
#
# Every extended regular expression must match a line; one that begins with '!' must match none.
set -eu
. "$(dirname "$0")/functions.sh"

code=$1 patterns=$2
shift 2
temporary_folder
output=$folder/output

got=0
"$@" >"$output" 2>&1 || got=$?
cat "$output"
[ "$got" -ne 77 ] || exit 77 # cannot run here, and said why
[ "$got" -eq "$code" ] || fail "exit code $got and not $code"

old=$IFS
IFS=@
set -f
for pattern in $patterns; do
    case $pattern in
    '!'*) found=$(grep -cE -e "${pattern#!}" "$output") && wrong=1 || wrong=0 ;;
    *) found=$(grep -cE -e "$pattern" "$output") && wrong=0 || wrong=1 ;;
    esac
    [ "$wrong" -eq 0 ] || fail "$found lines match: $pattern"
done
IFS=$old
exit $failed
