#!/bin/sh
# Replaces ssh: runs a command line on a host of hosts.sh. Both MPIs start their daemons on the other hosts this way.
#   launch.sh [-OPTION...] HOST WORD...
set -eu
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec "$(dirname "$0")/inside.sh" on "$host" / sh -c "$*"
