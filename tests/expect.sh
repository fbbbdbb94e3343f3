#!/bin/sh
# Runs a command and judges it by its exit code and its output (both streams together).
#
#   expect.sh CODE PATTERN[@PATTERN...] COMMAND...
#
# Every extended regular expression must match a line; one that begins with '!' must match none.
set -eu

code=$1 patterns=$2
shift 2
output=$(mktemp)
trap 'rm -f "$output"' EXIT

got=0
"$@" >"$output" 2>&1 || got=$?
cat "$output"
[ "$got" -ne 77 ] || exit 77 # cannot run here, and said why
failed=0
if [ "$got" -ne "$code" ]; then
    echo "expected exit code $code, got $got" >&2
    failed=1
fi

old=$IFS
IFS=@
set -f
for pattern in $patterns; do
    case $pattern in
    '!'*) found=$(grep -cE -e "${pattern#!}" "$output") && wrong=1 || wrong=0 ;;
    *) found=$(grep -cE -e "$pattern" "$output") && wrong=0 || wrong=1 ;;
    esac
    if [ "$wrong" -eq 1 ]; then
        echo "$found lines match: $pattern" >&2
        failed=1
    fi
done
IFS=$old
exit $failed
