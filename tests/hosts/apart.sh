#!/bin/sh
# Runs a program on one of several hosts as if that were a machine of its own: another start of the kernel, and a clock
# that is wrong by seconds and runs at another speed. host1 stays as it is.
#   apart.sh LIBRARY PROGRAM [ARGUMENT...]     LIBRARY is clock_ahead.c, made
set -eu
library=$1
shift
case $(hostname) in
host1) exec "$@" ;;
host2) ahead=5 fast=0.0001 ;;
host3) ahead=-3600 fast=-0.0002 ;;
*) ahead=0.02 fast=0 ;;
esac
start=/dev/shm/start.$$
number=$(hostname | tr -dc 0-9)
echo "0000000$number-0000-4000-8000-000000000000" >"$start"
# shellcheck disable=SC2016 # the inner shell's
exec unshare --mount --propagation private sh -c 'mount --bind "$0" /proc/sys/kernel/random/boot_id && rm "$0" && exec "$@"' "$start" \
    env CLOCK_AHEAD="$ahead" CLOCK_FAST="$fast" LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}" "$@"
