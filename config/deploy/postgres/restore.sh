#!/bin/sh
# Brings the database back to a moment: restore '2026-11-23 10:00:00+00'. Without one, to the end of
# the log that was archived. PostgreSQL must not run.
set -eu
install -d -m 700 "${PGBACKREST_PG1_PATH:-/var/lib/postgresql/18/docker}"
[ $# -eq 0 ] || set -- --type=time --target="$1" --target-action=promote
exec pgbackrest --stanza=payments --delta "$@" restore
