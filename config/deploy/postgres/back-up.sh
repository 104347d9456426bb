#!/bin/sh
# Takes base backups of the stanza `payments`, and deletes those past their retention: each day what
# changed since the last full backup, each week a full one. `back-up once` takes the one that is due
# and ends; without it this goes on. The times are those of files beside the backups, so that a
# restart repeats none.
set -eu

repository=${PGBACKREST_REPO1_PATH:-/var/lib/pgbackrest}
hour=60
day=$((24 * hour))

is_younger_than() { # minutes, file
  [ -n "$(find "$2" -mmin "-$1" 2>/dev/null)" ]
}

back_up() {
  kind=diff
  is_younger_than $((7 * day - hour)) "$repository/last-full" || kind=full
  pgbackrest --stanza=payments stanza-create &&
    pgbackrest --stanza=payments --type="$kind" backup || return 1
  touch "$repository/last"
  if [ "$kind" = full ]; then touch "$repository/last-full"; fi
}

# The database says when its newest backup was taken, for an alert (pcs_backup_age_seconds).
tell() {
  [ -e "$repository/last" ] || touch -d @0 "$repository/last"
  at=$(date --utc --iso-8601=seconds --reference="$repository/last")
  psql --quiet --no-psqlrc --host="${PGBACKREST_PG1_SOCKET_PATH:-/var/run/postgresql}" \
    --port="${PGBACKREST_PG1_PORT:-5432}" --username=postgres --dbname=payments \
    --command="alter database payments set pcs.backed_up_at = '$at'"
}

back_up_if_due() {
  is_younger_than $((day - hour)) "$repository/last" && return
  outcome=0
  back_up || outcome=$?
  tell && return "$outcome"
}

if [ "${1:-}" = once ]; then
  back_up_if_due
  exit
fi
while :; do
  back_up_if_due || echo 'The backup failed and is tried again in ten minutes.' >&2
  sleep 600
done
