import type { Job } from './jobs.ts';
import type { Sql } from './sql.ts';
import type { Vault } from './vault.ts';

/**
 * One atomic phase: everything written through it commits together, at one moment. Calls to the outside happen between phases, never
 * inside. Verbs that take a phase return the jobs to ring once it has committed.
 */
export interface Phase {
  sql: Sql;
  now: Date;
  vault: Vault;
}

/** Runs a phase, commits it, then rings the jobs it returned. */
export type Atomically = (work: (phase: Phase) => Promise<Job[]>) => Promise<void>;
