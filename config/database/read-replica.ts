import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../domain/shared/problems.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { createBatcher } from '../batcher.ts';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { trackOutage } from '../outage.ts';
import { openDatabase, type ServiceDatabase } from './db.ts';
import { type DatabaseOptions, type Orm, openOrm } from './orm.ts';

/** Runs reads where everything is found that was committed before they were asked for. */
export type Read = <T>(work: (db: ServiceDatabase) => Promise<T>) => Promise<T>;

export interface ReadReplica extends AsyncDisposable {
  read: Read;
}

const CATCHES_UP_WITHIN_MS = 50;
const FIRST_LOOK_AFTER_MS = 1;
const BEHIND_FOR_MS = 1_000;

/**
 * Opens a replica for reads. Each runs there once the replica has replayed the primary's log as far
 * as it reached when the read was asked for. While the replica is away, behind, or follows another
 * primary, the primary answers.
 */
export function openReadReplica(
  primary: ServiceDatabase,
  options: DatabaseOptions,
  log: Logger,
): ReadReplica {
  const outage = trackOutage(log, 'read replica', 'the primary answers');
  let opening: Promise<void> | undefined;
  let orm: Orm | undefined;
  let replica: ServiceDatabase | undefined;
  let behindUntilMs = 0;

  const open = async () => {
    try {
      orm = await openOrm(options);
      replica = await openDatabase(orm, options);
    } catch (error) {
      outage.begin(error as Error);
    } finally {
      opening = undefined;
    }
  };
  opening = open();

  /** Reads that wait together share one look, made after the last of them was asked for. */
  const looks = createBatcher<true, boolean>(async (reads) => {
    const isThere = await hasCaughtUp(primary, replica!);
    if (!isThere) behindUntilMs = performance.now() + BEHIND_FOR_MS;
    return reads.map(() => isThere);
  });

  const caughtUp = async (): Promise<ServiceDatabase | undefined> => {
    if (performance.now() < behindUntilMs || opening || !outage.mayCall()) return undefined;
    if (!replica) {
      opening = open();
      return undefined;
    }
    try {
      return (await looks.load(true)) ? replica : undefined;
    } catch (error) {
      outage.begin(error as Error);
      return undefined;
    }
  };

  return {
    async read(work) {
      const on = await caughtUp();
      if (!on) return work(primary);
      try {
        const result = await work(on);
        outage.end();
        return result;
      } catch (error) {
        if (error instanceof Problem || isOfStatement(error)) throw error;
        outage.begin(error as Error);
        return work(primary);
      }
    },
    async [Symbol.asyncDispose]() {
      await opening;
      await withDeadline(orm?.close(true) ?? Promise.resolve(), CLOSE_WITHIN_MS).catch(() => {});
    },
  };
}

/** A bad value, or a statement that takes too long: it would end so on the primary, too. */
function isOfStatement(error: unknown): boolean {
  return /^(22|57014)/.test(String((error as { code?: unknown }).code));
}

type Position = { system: string; database: string; timeline: number; end: string };

/** Commits are answered when they are flushed, so what was answered is before this position. */
const POSITION = `
  select system_identifier::text as system, current_database() as database,
    case current_setting('synchronous_commit')
      when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as "end",
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
  from pg_control_system()`;

/**
 * Positions of two timelines cannot be compared: an old primary's replica has what the new lacks.
 */
const HAS_REPLAYED = `
  select pg_is_in_recovery() and system_identifier::text = $1
    and current_database() = $4 and greatest(c.timeline_id, r.min_recovery_end_timeline) = $2
    and pg_last_wal_replay_lsn() >= $3::pg_lsn as "hasReplayed"
  from pg_control_system(), pg_control_checkpoint() c, pg_control_recovery() r`;

async function hasCaughtUp(primary: Sql, replica: Sql): Promise<boolean> {
  const [position] = await primary.query<Position>(POSITION);
  const { system, timeline, end, database } = position!;
  const values = [system, timeline, end, database];
  const giveUpMs = performance.now() + CATCHES_UP_WITHIN_MS;
  for (let waitMs = FIRST_LOOK_AFTER_MS; ; waitMs *= 2) {
    const look = replica.query<{ hasReplayed: boolean }>(HAS_REPLAYED, values);
    const [found] = await withDeadline(look, ANSWERS_WITHIN_MS);
    if (found!.hasReplayed) return true;
    if (performance.now() + waitMs > giveUpMs) return false;
    await pause(waitMs);
  }
}

const ANSWERS_WITHIN_MS = 500;
/** Statements that hang there end with their time-out. */
const CLOSE_WITHIN_MS = 1_000;
