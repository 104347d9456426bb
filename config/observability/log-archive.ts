import type { Sql } from '../../domain/shared/sql.ts';

/** True: no backup has what was written lately. False also where nothing is archived. */
export async function isArchiveFailing(sql: Sql): Promise<boolean> {
  const [archiver] = await sql.query<{ failing: boolean }>(
    `select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
     from pg_stat_archiver`,
  );
  return archiver!.failing;
}
