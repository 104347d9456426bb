import {
  assertSchemaCompatibility,
  createPostgresBackend,
  createRedisBackend,
  type PostgresConnectionOptions,
  type Processor,
  type Queue,
  runMigrations,
  SchemaMigrationRequiredError,
  SchemaVersionMismatchError,
  type Worker,
  withBackend,
} from 'bullmq';
import pg from 'pg';
import { type QueueName, queueNames } from '../../domain/jobs.ts';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { type Outage, trackOutage } from '../outage.ts';
import { SetupError } from '../setup-error.ts';
import { keyPrefix, openRedis } from './redis.ts';
import { seldom } from './seldom.ts';

export interface JobData {
  /** Endpoints or connections. */
  groups: string[];
  /** Rows, for people who look at the queue. */
  rows: string[];
  /** True: others have the first turn. */
  isSwept: boolean;
}

const WAITING = {
  /** Short, so that workers resume soon after an outage of the store. */
  runRetryDelay: 2_000,
  /** A job that was lost with its process is no more than a wake-up: its rows have leases. */
  stalledInterval: 300_000,
};

/** BullMQ on Redis or on Postgres; no other file knows which. */
export interface Queues extends AsyncDisposable {
  kind: 'redis' | 'postgres';
  all: ReadonlyMap<QueueName, Queue>;
  /** While the store is away jobs are dropped, and workers claim due rows from PostgreSQL. */
  outage: Outage;
  /**
   * Finds out whether the store answers. True: of the processes that ask for `lead`, this one has
   * it for a second. Where the queues are in PostgreSQL each has it, and asks during outages only.
   */
  probe(lead: string): Promise<boolean>;
  startWorker(
    name: QueueName,
    process: Processor<JobData>,
    settings: { concurrency: number; onError: (error: Error) => void },
  ): Worker;
}

export interface QueueOptions {
  databaseUrl: string;
  /** Null: the queues live in Postgres. */
  redisUrl: string | null;
  prefix?: string;
  log: Logger;
  /** After this long without an answer a worker's connection to Redis is made anew. */
  silenceMs?: number;
}

/** As long as BullMQ lets a call to Redis block: workers that wait cost little. */
const LONGEST_BLOCK_S = 10;
/** PostgreSQL tells workers of jobs, and the kernel of a dead connection within 20 s. */
const LISTENS_S = 300;

/**
 * Longer than BullMQ's longest blocking call. The kernel would hold workers on a dead
 * connection for a quarter of an hour.
 */
const SILENCE_MS = 12_000;

/** Queues on a Redis that cannot be reached fail their calls at once. Throws without Postgres. */
export async function openQueues(options: QueueOptions): Promise<Queues> {
  return options.redisUrl ? onRedis(options, options.redisUrl) : onPostgres(options);
}

/**
 * Creates the queues' schema in Postgres, unused where they are on Redis. Throws `SetupError` where
 * a newer version made it. Waits for a lock no longer than `lockTimeoutMs`.
 */
export async function migrateQueues(databaseUrl: string, lockTimeoutMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, lock_timeout: lockTimeoutMs });
  await client.connect();
  try {
    await runMigrations(client);
  } catch (error) {
    throw inWords(error);
  } finally {
    await client.end();
  }
}

function onRedis({ prefix = 'pcs', silenceMs = SILENCE_MS, log }: QueueOptions, url: string) {
  const { Queue, Worker } = withBackend(createRedisBackend);
  const quiet = (error: Error) => log.debug('redis', { error: error.message });
  // Enqueueing must never hang a request: without a connection every command fails at once, and the
  // workers sweep.
  const producer = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 5_000,
    socketTimeout: 5_000,
  });
  const consumer = openRedis(url, { maxRetriesPerRequest: null, socketTimeout: silenceMs });
  for (const connection of [producer, consumer]) connection.on('error', quiet);
  const baseOf = (name: QueueName) => ({
    prefix: keyPrefix(url, prefix, name),
    skipVersionCheck: true,
  });
  const open = (name: QueueName) =>
    new Queue(name, { ...baseOf(name), connection: producer, skipWaitingForReady: true });
  return assemble('redis', open as (name: QueueName) => Queue, log, {
    // A store that refuses to write is as good as away.
    takeLead: async (lead) =>
      (await producer.set(`${prefix}:lead:${lead}`, '', 'PX', LEAD_MS, 'NX')) !== null,
    startWorker: (name, process, { concurrency, onError }) => {
      const worker = new Worker<JobData>(name, process, {
        ...baseOf(name),
        connection: consumer,
        concurrency,
        ...WAITING,
        drainDelay: LONGEST_BLOCK_S,
      });
      return listen(worker as unknown as Worker, onError);
    },
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  });
}

const POSTGRES_QUEUE_CONNECTIONS = queueNames.length * 2 + 6;

const MAX_LISTENERS = queueNames.length * 4;

async function onPostgres({ databaseUrl, log }: QueueOptions): Promise<Queues> {
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const quiet = (error: Error) => log.debug('queue store', { error: error.message });
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POSTGRES_QUEUE_CONNECTIONS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    // Workers listen for minutes, but their statements are short: one that takes long hangs on a
    // lost connection.
    query_timeout: 15_000,
    options: '-c search_path=bullmq',
  });
  pool.setMaxListeners(MAX_LISTENERS).on('error', quiet);
  const open = new Set<unknown>();
  pool.on('connect', (client) => open.add(client)).on('remove', (client) => open.delete(client));
  await requireSchema(pool);
  const connection = pool as unknown as PostgresConnectionOptions;
  const queueOf = (name: QueueName) => new Queue(name, { connection });
  const queues = assemble('postgres', queueOf as unknown as (name: QueueName) => Queue, log, {
    takeLead: async () => {
      if (queues.outage.isAway()) await pool.query('select 1');
      return true;
    },
    startWorker: (name, process, { concurrency, onError }) => {
      const worker = new Worker<JobData>(name, process, {
        connection,
        concurrency,
        ...WAITING,
        drainDelay: LISTENS_S,
      });
      return listen(worker as unknown as Worker, onError);
    },
    close: () => closePool(pool, open),
  });
  return whenReady(queues);
}

/** A server that hangs closes no connection, and must keep no process. */
const CLOSED_WITHIN_MS = 2_000;

/** Waits until connections are closed: a server that stops next would have each report an error. */
async function closePool(pool: pg.Pool, open: ReadonlySet<unknown>): Promise<void> {
  await pool.end();
  const closed = new Promise<void>((resolve) => {
    const look = () => open.size === 0 && resolve();
    pool.on('remove', look);
    look();
  });
  await withDeadline(closed, CLOSED_WITHIN_MS).catch(() => {});
}

async function whenReady(queues: Queues): Promise<Queues> {
  try {
    await Promise.all([...queues.all.values()].map((queue) => queue.waitUntilReady()));
    return queues;
  } catch (error) {
    await queues[Symbol.asyncDispose]();
    throw error;
  }
}

/** A queue opened with no schema, or one too new, never works: the process refuses to start. */
async function requireSchema(pool: pg.Pool): Promise<void> {
  try {
    await assertSchemaCompatibility(pool);
  } catch (error) {
    await pool.end();
    throw inWords(error);
  }
}

function inWords(error: unknown): unknown {
  if (error instanceof SchemaMigrationRequiredError)
    return new SetupError('The database has not been migrated: run `npm run migrate` first.');
  if (error instanceof SchemaVersionMismatchError)
    return new SetupError(
      'The queues in the database were made by a newer version of the service, and this one cannot ' +
        'use them: run that version or a later one.',
    );
  return error;
}

const PROBE_TIMEOUT_MS = 1_000;
/** Shorter than the time between two sweeps of a process. */
const LEAD_MS = 1_200;

interface Backend {
  takeLead: (lead: string) => Promise<boolean>;
  startWorker: Queues['startWorker'];
  close: () => Promise<void>;
}

function assemble(
  kind: Queues['kind'],
  open: (name: QueueName) => Queue,
  log: Logger,
  backend: Backend,
): Queues {
  const quiet = (error: Error) => log.debug('queue store', { error: error.message });
  const outage = trackOutage(log, 'queues', 'workers claim due rows from PostgreSQL');
  const all = new Map(queueNames.map((name) => [name, open(name)]));
  for (const queue of all.values()) queue.on('error', quiet);
  return {
    kind,
    all,
    startWorker: backend.startWorker,
    outage,
    async probe(lead) {
      try {
        const leads = await withDeadline(backend.takeLead(lead), PROBE_TIMEOUT_MS);
        outage.end();
        return leads;
      } catch (error) {
        outage.begin(error as Error);
        return false;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.values()].map((queue) => queue.close().catch(quiet)));
      await backend.close();
    },
  };
}

function listen(worker: Worker, onError: (error: Error) => void): Worker {
  worker.on('error', seldom(onError));
  return worker;
}
