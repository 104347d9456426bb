import type { Sql } from '../../domain/shared/sql.ts';

/** True: no backup has what was written lately. False also where nothing is archived. */
export async function isArchiveFailing(sql: Sql): Promise<boolean> {
  const [archiver] = await sql.query<{ failing: boolean }>(
    `select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
     from pg_stat_archiver`,
  );
  return archiver!.failing;
}

/** When the newest backup was taken, as the backups told the database; null: they told no time. */
export async function lastBackupAt(sql: Sql): Promise<Date | null> {
  const [told] = await sql.query<{ at: string | null }>(
    `select max(substr(setting, length($1) + 1)) as at
     from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase,
       unnest(s.setconfig) setting
     where d.datname = current_database() and s.setrole = 0 and starts_with(setting, $1)`,
    ['pcs.backed_up_at='],
  );
  const at = new Date(told!.at ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
