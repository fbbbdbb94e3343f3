#!/bin/sh
# Of a setting in several places the user's file overrules the site's, and the environment both. The site's file lies
# in an /etc that only this test sees.
#   places.sh STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1
if [ "${2:-}" != inside ]; then
    unshare -rm true 2>/dev/null || { echo "no namespace can be made here"; exit 77; }
    exec unshare -rm "$0" "$strata" inside
fi
mount -t tmpfs tmpfs /etc
mkdir -p /etc/strata /etc/home/strata
printf 'STRATA_PASSES = 5\nSTRATA_BUDGET = 1M\nSTRATA_THRESHOLD = 2K\n' >/etc/strata/settings
printf 'STRATA_PASSES = 6\nSTRATA_BUDGET = 2M\n' >/etc/home/strata/settings
export XDG_CONFIG_HOME=/etc/home
unset STRATA_SETTINGS
STRATA_PASSES=7 "$strata" info >/etc/said
for line in "STRATA_PASSES += 7 +environment" "STRATA_BUDGET += 2M +user's file" "STRATA_THRESHOLD += 2K +site's file" \
    "STRATA_CHECK += 0 +default"; do
    grep -qE "$line" /etc/said || fail "$line"
done
STRATA_SETTINGS=none "$strata" info | grep -qE "STRATA_PASSES += 4 +default" || fail "no file"
echo 'STRATA_STALL = 1' >>/etc/home/strata/settings
"$strata" info >/etc/said 2>&1 && grep -q "settings: line 3: STRATA_STALL is a setting of the environment alone" /etc/said &&
    grep -qE "STRATA_PASSES += 4 +default" /etc/said || fail "a wrong file counts in no line"
printf 'STRATA_PASSES = 6\nSTRATA_BCAST = tre\n' >/etc/home/strata/settings
"$strata" info >/etc/said 2>&1 && grep -q 'settings: line 2: STRATA_BCAST: "tre" is no algorithm of bcast' /etc/said &&
    grep -qE "STRATA_PASSES += 4 +default" /etc/said || fail "a wrong text makes a file wrong"
echo 'STRATA_PASSES = 6' >/etc/home/strata/settings
STRATA_PASSES=many STRATA_BCAST=tre "$strata" info >/etc/said 2>&1 && grep -q '"many".*; it counts as not given' /etc/said &&
    grep -q 'STRATA_BCAST: "tre" .*; it counts as not given (default: auto)' /etc/said &&
    grep -qE "STRATA_PASSES += 6 +user's file" /etc/said && grep -qE "STRATA_BCAST += auto +default" /etc/said ||
    fail "a wrong value counts as not given"
exit $failed
