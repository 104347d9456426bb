import type { EntityManager } from '@mikro-orm/core';
import type { Job } from '../jobs.ts';
import type { Session, Sql, Writer } from './sql.ts';
import type { Vault } from './vault.ts';

/**
 * One transaction: everything written through it commits together. Calls to the outside happen
 * between transactions, never inside.
 */
export interface Tx {
  sql: Sql;
  write: Writer['write'];
  /**
   * The EntityManager of this transaction, created when first used and flushed before the commit.
   */
  readonly em: EntityManager;
  now: Date;
  vault: Vault;
  /** Enqueues jobs once the transaction has committed; none where it does not. */
  enqueue(...jobs: readonly Job[]): void;
}

/** The transaction of an open session. What it enqueues is added to `jobs`. */
export function txOf(session: Session, vault: Vault, now: Date, jobs: Job[] = []): Tx {
  return {
    sql: session,
    write: session.write,
    get em() {
      return session.em;
    },
    vault,
    now,
    enqueue: (...more) => void jobs.push(...more),
  };
}

/** Runs a transaction, commits it, enqueues its jobs, and returns the result of `work`. */
export type InTx = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** A database as transactions need it. It may run `work` again after a deadlock. */
interface Transactional {
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** Makes `inTx` of a database. A run of `work` that did not commit leaves no jobs. */
export function inTxOf(
  db: Transactional,
  vault: Vault,
  clock: () => Date,
  enqueue: (jobs: readonly Job[]) => void,
): InTx {
  return async (work) => {
    const { result, jobs } = await db.transaction(async (session) => {
      const jobs: Job[] = [];
      return { result: await work(txOf(session, vault, clock(), jobs)), jobs };
    });
    enqueue(jobs);
    return result;
  };
}
