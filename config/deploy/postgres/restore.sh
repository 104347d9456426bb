#!/bin/sh
# Brings the database back to a moment: restore '2026-11-23 10:00:00+00'. PostgreSQL must not run.
set -eu
install -d -m 700 "${PGBACKREST_PG1_PATH:-/var/lib/postgresql/18/docker}"
exec pgbackrest --stanza=payments --delta --type=time --target="$1" --target-action=promote restore
