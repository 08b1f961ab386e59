#!/bin/bash
# What mpirun takes for ssh: runs the daemon of "host $1" on this machine, under that host name.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec unshare --uts /bin/bash -c 'hostname "$0"; eval "$*"' "$host" "$@"
