import type { Job } from '../jobs.ts';
import type { Sql } from './sql.ts';
import type { Vault } from './vault.ts';

/**
 * One atomic transaction: everything written through it commits together, at one moment. Calls to the outside happen between transactions, never
 * inside. Verbs that take a transaction return the jobs to enqueue after the commit.
 */
export interface Tx {
  sql: Sql;
  now: Date;
  vault: Vault;
}

/** Runs a transaction, commits it, then rings the jobs it returned. */
export type InTx = (work: (tx: Tx) => Promise<Job[]>) => Promise<void>;
