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

/** The data of a job: a group with due rows. */
export interface JobData {
  /** Its endpoint or connection. */
  group: string;
  /** Some of the rows, which people who look at the queue read. */
  rows: string[];
}

export interface WorkerSettings {
  concurrency: number;
  onError: (error: Error) => void;
}

/**
 * The wait after which a worker calls a queue store again that failed: short, so that work resumes
 * soon after an outage.
 */
const RETRY_MS = 2_000;

/** BullMQ on Redis or on Postgres. No other file knows which. */
export interface Queues extends AsyncDisposable {
  kind: 'redis' | 'postgres';
  all: ReadonlyMap<QueueName, Queue>;
  /**
   * Known from failed calls: while the store is away jobs are dropped, and workers claim due rows
   * from PostgreSQL.
   */
  outage: Outage;
  /** Calls the store, and records whether it answered in time. */
  probe(): Promise<void>;
  startWorker(name: QueueName, process: Processor<JobData>, settings: WorkerSettings): Worker;
}

export interface QueueOptions {
  databaseUrl: string;
  /** Null: the queues live in Postgres. */
  redisUrl: string | null;
  /** Redis keys begin with it, so that several deployments can share one Redis. */
  prefix?: string;
  log: Logger;
  /** After this long without an answer a worker's connection to Redis is made anew. */
  silenceMs?: number;
}

/**
 * Longer than BullMQ's longest blocking call, of 10 s. Connections whose other end is gone without
 * a word would otherwise hold the workers for as long as the kernel sends again: a quarter of an
 * hour.
 */
const SILENCE_MS = 12_000;

/**
 * Opens every queue for enqueueing. Nothing waits for Redis: a queue that cannot be reached fails
 * its calls at once. Throws without Postgres.
 */
export async function openQueues(options: QueueOptions): Promise<Queues> {
  return options.redisUrl ? onRedis(options, options.redisUrl) : onPostgres(options);
}

/**
 * Creates the queues' schema in Postgres, which stays unused where the queues are on Redis. Throws
 * `SetupError` where a newer version made it, and changes nothing. It waits for a lock no longer
 * than `lockTimeoutMs`.
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

function onRedis(
  { prefix = 'pcs', silenceMs = SILENCE_MS, log }: QueueOptions,
  url: string,
): Queues {
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
  // Workers wait for Redis to come back, however long that takes.
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
    ping: () => producer.set(`${prefix}:probe`, '', 'PX', PROBE_TIMEOUT_MS),
    startWorker: (name, process, { concurrency, onError }) => {
      const worker = new Worker<JobData>(name, process, {
        ...baseOf(name),
        connection: consumer,
        concurrency,
        runRetryDelay: RETRY_MS,
      });
      return listen(worker as unknown as Worker, onError);
    },
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  });
}

/** Each worker holds one connection to listen on; the rest of the pool runs short statements. */
const POSTGRES_QUEUE_CONNECTIONS = queueNames.length * 2 + 6;

/** Each queue and each worker adds a few listeners to the pool; many more would be a leak. */
const MAX_LISTENERS = queueNames.length * 4;

async function onPostgres({ databaseUrl, log }: QueueOptions): Promise<Queues> {
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const quiet = (error: Error) => log.debug('queue store', { error: error.message });
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POSTGRES_QUEUE_CONNECTIONS,
    keepAlive: true,
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
    ping: () => pool.query('select 1'),
    startWorker: (name, process, { concurrency, onError }) => {
      const worker = new Worker<JobData>(name, process, {
        connection,
        concurrency,
        runRetryDelay: RETRY_MS,
      });
      return listen(worker as unknown as Worker, onError);
    },
    close: () => closePool(pool, open),
  });
  return whenReady(queues);
}

/** A server that hangs closes no connection, and must keep no process. */
const CLOSED_WITHIN_MS = 2_000;

/**
 * Ends a pool and waits until the server has closed the connections that are `open`. The pool by
 * itself does not wait: whoever stops the server next would have each of them report that as an
 * error.
 */
async function closePool(pool: pg.Pool, open: ReadonlySet<unknown>): Promise<void> {
  await pool.end();
  const closed = new Promise<void>((resolve) => {
    const look = () => open.size === 0 && resolve();
    pool.on('remove', look);
    look();
  });
  await withDeadline(closed, CLOSED_WITHIN_MS).catch(() => {});
}

/** A queue that could not read its schema when it was opened never works: opening fails instead. */
async function whenReady(queues: Queues): Promise<Queues> {
  try {
    await Promise.all([...queues.all.values()].map((queue) => queue.waitUntilReady()));
    return queues;
  } catch (error) {
    await queues[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * A queue never works if its schema was missing, or too new, when it was opened: the process
 * refuses to start.
 */
async function requireSchema(pool: pg.Pool): Promise<void> {
  try {
    await assertSchemaCompatibility(pool);
  } catch (error) {
    await pool.end();
    throw inWords(error);
  }
}

/** One sentence for a schema that does not fit this version; any other error as it is. */
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

/** A store that takes longer to answer counts as away. */
const PROBE_TIMEOUT_MS = 1_000;

interface Backend {
  ping: () => Promise<unknown>;
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
    async probe() {
      try {
        await withDeadline(backend.ping(), PROBE_TIMEOUT_MS);
        outage.end();
      } catch (error) {
        outage.begin(error as Error);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.values()].map((queue) => queue.close().catch(quiet)));
      await backend.close();
    },
  };
}

function listen(worker: Worker, onError: (error: Error) => void): Worker {
  worker.on('error', onError);
  return worker;
}
