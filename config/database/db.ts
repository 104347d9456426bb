import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager, Transaction } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { Problem } from '../../domain/shared/problems.ts';
import type { Entities, Session, Sql } from '../../domain/shared/sql.ts';
import { collectWrites } from '../../domain/shared/writes.ts';
import type { DatabaseOptions, Orm } from './orm.ts';
import { types } from './result-types.ts';

/** The one pool. Each reading of `em` gives a new EntityManager. */
export interface ServiceDatabase extends Sql, Entities {
  /** Runs `work` in one transaction: commits what it returns, rolls back when it throws. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** Behind a pooler no statements are prepared. */
export async function openDatabase(
  orm: Orm,
  { isPooled = false }: Pick<DatabaseOptions, 'isPooled'> = {},
): Promise<ServiceDatabase> {
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  const prepares = !isPooled;
  return {
    query: (text, values) => onceMore(prepares, (prepared) => run(pool, text, values, prepared)),
    transaction: (work) =>
      onceMore(prepares, (prepared) => inTransaction(orm, pool, work, prepared)),
    get em() {
      return orm.em.fork();
    },
  };
}

const DEADLOCK = '40P01';
/** Nothing was written and a repeat helps: a plan older than a column, or a deadlock. */
const PASSING = new Set(['0A000', DEADLOCK]);
/** The other transaction of a deadlock has the row by then: a repeat could take it first. */
const OTHER_GOES_ON_MS = 50;

async function onceMore<T>(prepares: boolean, work: (prepared: boolean) => Promise<T>): Promise<T> {
  try {
    return await work(prepares);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!PASSING.has(code)) throw error;
    if (code === DEADLOCK) await pause(OTHER_GOES_ON_MS);
    return work(false);
  }
}

/** Closes a connection on which something failed. A refusal (`Problem`) rolls back and keeps it. */
async function inTransaction<T>(
  orm: Orm,
  pool: pg.Pool,
  work: (session: Session) => Promise<T>,
  prepared: boolean,
): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    let em: EntityManager | undefined;
    const { query, write, flush } = collectWrites({
      query: (text, values) => run(client, text, values, prepared),
    });
    const result = await work({
      query,
      write,
      get em() {
        em ??= entityManagerOn(orm, client, flush);
        return em;
      },
    });
    await flush();
    await em?.flush();
    await client.query('commit');
    failed = false;
    return result;
  } catch (error) {
    if (error instanceof Problem) {
      await client.query('rollback');
      failed = false;
    }
    throw error;
  } finally {
    client.release(failed);
  }
}

/** Its statements run in the open transaction of this connection, after the writes that wait. */
function entityManagerOn(
  orm: Orm,
  client: pg.PoolClient,
  flush: () => Promise<void>,
): EntityManager {
  const em = orm.em.fork();
  const executeQuery = async ({ sql }: { sql: string }) => {
    await flush();
    const { rows, rowCount } = await client.query(sql);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  };
  // The ORM needs only a way to run statements of a transaction that it did not begin.
  em.setTransactionContext({ executeQuery } as unknown as Transaction);
  return em;
}

/** Statements are constant texts: each is prepared once per connection. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

type Connection = pg.Pool | pg.PoolClient;

async function run<Row>(
  on: Connection,
  text: string,
  values: readonly unknown[] = [],
  prepared: boolean,
): Promise<Row[]> {
  const result = await on.query({
    ...(prepared ? { name: nameOf(text) } : {}),
    text,
    values: [...values],
    types,
  });
  return result.rows as Row[];
}
