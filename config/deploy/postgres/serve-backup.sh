#!/bin/sh
# Restores the newest backup, with the log since then, into a folder beside the running database, and
# serves it until it is stopped: serve-backup FOLDER PORT ADDRESS. Nothing of it is archived, and it
# answers once all of the log is replayed.
set -eu
folder=$1 port=$2 address=$3
install -d -m 700 "$folder"
pgbackrest --stanza=payments --pg1-path="$folder" --archive-mode=off restore
# The settings of the running server are not the ones of this machine.
: >"$folder/restored.conf"
echo 'host all all all scram-sha-256' >"$folder/restored.hba"
PATH=$PATH:/usr/lib/postgresql/$(cat "$folder/PG_VERSION")/bin
exec postgres -D "$folder" -p "$port" \
  -c config_file="$folder/restored.conf" -c hba_file="$folder/restored.hba" \
  -c listen_addresses="$address" -c unix_socket_directories= -c hot_standby=off
