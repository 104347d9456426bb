import type { EntityManager } from '@mikro-orm/core';
import type { Job } from '../jobs.ts';
import type { Session, Sql, Writer } from './sql.ts';
import type { Vault } from './vault.ts';

/**
 * One transaction: everything written through it commits together. Calls to the outside happen
 * between transactions, never inside. Functions that take a transaction return
 * the jobs to enqueue after the commit.
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
}

export function txOf(session: Session, vault: Vault, now: Date): Tx {
  return {
    sql: session,
    write: session.write,
    get em() {
      return session.em;
    },
    vault,
    now,
  };
}

/** Runs a transaction, commits it, then enqueues the jobs it returned. */
export type InTx = (work: (tx: Tx) => Promise<Job[]>) => Promise<void>;
