import type { EntityManager } from '@mikro-orm/core';
import type { Job } from '../jobs.ts';
import { lagosDay } from './lagos.ts';
import type { Session, Sql, Writer } from './sql.ts';
import type { Vault } from './vault.ts';

/** It commits together. Calls to the outside happen between transactions, never inside. */
export interface Tx {
  sql: Sql;
  write: Writer['write'];
  /** Flushed before the commit. */
  readonly em: EntityManager;
  now: Date;
  vault: Vault;
  /** Once it has committed. */
  enqueue(...jobs: readonly Job[]): void;
  /** False: this installation has no mail server, and no mail is written. */
  sendsMail: boolean;
  /** True: it records what was before the service was there, so no event tells of it. */
  tellsNobody?: boolean;
  /** Payouts and differences of days before are history, too. */
  toldSince?: Date;
}

/** The same transaction, for what is written as it would have been then. */
export function txAt(tx: Tx, now: Date): Tx {
  return Object.create(tx, { now: { value: now } });
}

/** Writes history: neither events nor mails tell of it. */
export function untold(inTx: InTx): InTx {
  const silent = { tellsNobody: { value: true }, sendsMail: { value: false } };
  return (work) => inTx((tx) => work(Object.create(tx, silent)));
}

/** Tells of payouts and differences as ever, but not of those before the day of `since`. */
export function toldSince(inTx: InTx, since: Date): InTx {
  return (work) => inTx((tx) => work(Object.create(tx, { toldSince: { value: since } })));
}

export function isHistory({ toldSince: since }: Pick<Tx, 'toldSince'>, day: string): boolean {
  return since !== undefined && day < lagosDay(since);
}

export function txOf(
  session: Session,
  vault: Vault,
  now: Date,
  jobs: Job[] = [],
  sendsMail = false,
): Tx {
  return {
    sql: session,
    write: session.write,
    get em() {
      return session.em;
    },
    vault,
    now,
    enqueue: (...more) => void jobs.push(...more),
    sendsMail,
  };
}

/** Commits, enqueues, and returns the result. */
export type InTx = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** It may run `work` again after a deadlock. */
interface Transactional {
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** A run that did not commit leaves no jobs. */
export function inTxOf(
  db: Transactional,
  vault: Vault,
  clock: () => Date,
  enqueue: (jobs: readonly Job[]) => void,
  sendsMail = false,
): InTx {
  return async (work) => {
    const { result, jobs } = await db.transaction(async (session) => {
      const jobs: Job[] = [];
      return { result: await work(txOf(session, vault, clock(), jobs, sendsMail)), jobs };
    });
    enqueue(jobs);
    return result;
  };
}
