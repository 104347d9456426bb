import type pg from 'pg';
import { Problem } from '../../domain/shared/problems.ts';
import type { Metrics, StatementKind } from '../observability/metrics.ts';
import type { ServiceDatabase } from './db.ts';
import type { Orm } from './orm.ts';

export function measuredDatabase(
  db: ServiceDatabase,
  { recordStatement }: Pick<Metrics, 'recordStatement'>,
): ServiceDatabase {
  const timed = async <T>(kind: StatementKind, work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    let succeeded = true;
    try {
      return await work();
    } catch (error) {
      succeeded = error instanceof Problem; // a refusal is no failure of the database
      throw error;
    } finally {
      recordStatement(kind, performance.now() - startedMs, succeeded);
    }
  };
  return {
    query: (...statement) => timed('statement', () => db.query(...statement)),
    transaction: (work) => timed('transaction', () => db.transaction(work)),
    get em() {
      return db.em;
    },
  };
}

export async function measurePool(orm: Orm, { addGauge }: Metrics): Promise<void> {
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  addGauge({
    name: 'pcs_database_connections',
    help: 'Connections to PostgreSQL that are in use or idle, and callers waiting for one.',
    labels: ['state'],
    read: () => [
      [{ state: 'in_use' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'waiting' }, pool.waitingCount],
    ],
  });
}
