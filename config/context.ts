import {
  openCredentials,
  recordCredentials,
  recordPause,
  type StoredConnection,
} from '../domain/accounts/connection/connection.ts';
import { PASSWORD_COST, type PasswordCost } from '../domain/accounts/token/credentials.ts';
import { type Timeouts, timeouts } from '../domain/jobs.ts';
import type { RecordFact } from '../domain/payments/facts/record-together.ts';
import type { Priority } from '../domain/providers/port/budget.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import { providerNamed } from '../domain/providers/registry.ts';
import type { Mode } from '../domain/shared/reader.ts';
import { type InTx, inTxOf, type Tx } from '../domain/shared/tx.ts';
import { openVault, type Vault } from '../domain/shared/vault.ts';
import { type CreateCharge, createChargeWriter } from './database/charge-writer.ts';
import { openDatabaseClock } from './database/database-clock.ts';
import { openDatabase, type ServiceDatabase } from './database/db.ts';
import { createFactRecorder } from './database/fact-recorder.ts';
import { measuredDatabase, measurePool } from './database/measured-database.ts';
import {
  createNotificationWriter,
  type StoreNotification,
} from './database/notification-writer.ts';
import { type Orm, openOrm } from './database/orm.ts';
import { openReadReplica, type Read } from './database/read-replica.ts';
import { requireRoleLimits } from './database/role-limits.ts';
import type { Env } from './env.ts';
import { openLimitStore } from './limits/limit-store.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { createUnverifiedBodies, type UnverifiedBodies } from './limits/unverified-bodies.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMailClient, type MailClient } from './mail/mail-client.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { openTracing } from './observability/open-tracing.ts';
import { createRequestLog, type RequestLog } from './observability/request-log.ts';
import type { Tracing } from './observability/tracing.ts';
import { createOperators, type Operators } from './operators.ts';
import { cachingVault } from './providers/caching-vault.ts';
import {
  createProviderCalls,
  type ProviderCalls,
  type ProviderFor,
} from './providers/provider-calls.ts';
import { createSendingMarker, type MarkSending } from './providers/sending-marker.ts';
import { createJobDispatcher, type JobDispatcher } from './queues/job-dispatcher.ts';
import { openQueues, type Queues } from './queues/queues.ts';
import { openRecoveries } from './queues/recoveries.ts';
import { createWebhookClient, type WebhookClient } from './webhooks/webhook-client.ts';

/** Everything a request or job depends on. Tests replace any part, also the clock. */
export interface Context extends AsyncDisposable {
  env: Env;
  log: Logger;
  clock: () => Date;
  /** In [0, 1), to spread load. Never used for secrets. */
  random: () => number;
  orm: Orm;
  db: ServiceDatabase;
  /** Runs reads of lists and figures, on a replica where there is one. */
  read: Read;
  vault: Vault;
  queues: Queues;
  dispatcher: JobDispatcher;
  limits: Limits;
  operators: Operators;
  unverifiedBodies: UnverifiedBodies;
  requestLog: RequestLog;
  metrics: Metrics;
  tracing: Tracing;
  inTx: InTx;
  createCharge: CreateCharge;
  storeNotification: StoreNotification;
  recordFact: RecordFact;
  markSending: MarkSending;
  providerOf: (connection: StoredConnection, priority: Priority) => Provider;
  /** The connections whose circuit breaker is open in this process. */
  openBreakers: () => string[];
  /** How long a connection's provider takes no creates, as it said, in ms; null: it does. */
  createPauseMs: ProviderCalls['createPauseMs'];
  isHalfOpen: (connectionId: string) => boolean;
  onRecovery: ProviderCalls['onRecovery'];
  webhooks: WebhookClient;
  /** Null: this installation sends no mail. */
  mail: MailClient | null;
  timeouts: Timeouts;
  passwordCost: PasswordCost;
}

export interface Replaceable {
  /** Absent: the database's. */
  clock?: () => Date;
  random?: () => number;
  log?: Logger;
  queuePrefix?: string;
  passwordCost?: PasswordCost;
}

/** Opens the database, the queues and the vault. Disposing closes them in the right order. */
export async function openContext(
  env: Env,
  {
    clock: givenClock,
    random = Math.random,
    log = createLogger(env.logLevel),
    queuePrefix,
    passwordCost = PASSWORD_COST,
  }: Replaceable = {},
): Promise<Context> {
  await using scope = new AsyncDisposableStack();
  const tracing = scope.use(await openTracing(env.tracing, log));
  const { databaseUrl, readDatabaseUrl, redisUrl } = env;
  const isPooled = env.databaseIsPooled;
  const { databasePoolSize: poolSize, databaseTimeoutMs: statementTimeoutMs } = env;
  const pool = { poolSize, statementTimeoutMs, isPooled };
  const orm = await openOrm({ databaseUrl, ...pool });
  scope.defer(() => orm.close(true));
  const metrics = createMetrics();
  const db = measuredDatabase(await openDatabase(orm, pool), metrics);
  await measurePool(orm, metrics);
  if (isPooled) await requireRoleLimits(db);
  const { now: clock, offsetMs } = givenClock
    ? { now: givenClock, offsetMs: () => 0 }
    : scope.use(await openDatabaseClock(db, log));
  metrics.addGauge({
    name: 'pcs_clock_offset_seconds',
    help: 'By how much the clock of the database is ahead of this process; 0: half a second or less.',
    read: () => [[{}, offsetMs() / 1_000]],
  });
  const { read } = readDatabaseUrl
    ? scope.use(openReadReplica(db, { databaseUrl: readDatabaseUrl, ...pool }, log))
    : { read: <T>(work: (on: ServiceDatabase) => Promise<T>) => work(db) };
  const vault = cachingVault(openVault(env.masterKeys));
  const stores = { databaseUrl, redisUrl, log, ...(queuePrefix ? { prefix: queuePrefix } : {}) };
  const queues = scope.use(await openQueues(stores));
  const limitStore = await openLimitStore(stores);
  const limits = scope.use(
    createLimits(limitStore, { rules: env.rateLimits, processes: env.apiProcesses, log }),
  );
  const recoveries = scope.use(await openRecoveries(stores));
  const providerCalls = scope.use(
    createProviderCalls(limitStore, {
      budgets: env.budgets,
      breaker: env.breaker,
      processes: env.providerProcesses,
      log,
      clock,
      metrics,
      tracing,
      recoveries,
      recordCredentials: (connection, areRefused) =>
        recordCredentials({ sql: db, now: clock() }, connection, areRefused),
      recordPause: (...pause) => recordPause(db, ...pause),
    }),
  );
  const webhooks = scope.use(createWebhookClient(env.webhookAllowedHosts, timeouts.deliveryMs));
  const dispatcher = createJobDispatcher(queues, clock, log);
  scope.defer(() => dispatcher.close());
  metrics.addGauge({
    name: 'pcs_queue_store_away',
    help: 'Whether calls to the store of the queues fail (1) or not (0).',
    read: () => [[{}, Number(queues.outage.isAway())]],
  });
  const requestLog = scope.use(createRequestLog(db, log));
  const inTx = inTxOf(db, vault, clock, dispatcher.enqueue, env.mail !== null);
  const enqueue: Tx['enqueue'] = (...jobs) => dispatcher.enqueue(jobs);
  const open = scope.move();
  return {
    env,
    log,
    clock,
    random,
    orm,
    db,
    read,
    vault,
    queues,
    dispatcher,
    limits,
    operators: createOperators(env),
    unverifiedBodies: createUnverifiedBodies(),
    requestLog,
    metrics,
    tracing,
    inTx,
    createCharge: createChargeWriter({ sql: db, enqueue }),
    storeNotification: createNotificationWriter({ sql: db, vault, enqueue }, clock),
    recordFact: createFactRecorder(inTx),
    markSending: createSendingMarker(db, clock),
    providerOf: providersOf({ env, vault, clock, providerCalls }),
    openBreakers: providerCalls.openBreakers,
    createPauseMs: providerCalls.createPauseMs,
    isHalfOpen: providerCalls.isHalfOpen,
    onRecovery: providerCalls.onRecovery,
    webhooks,
    mail: env.mail && createMailClient(env.mail, timeouts.mailMs),
    timeouts,
    passwordCost,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

const MAX_OPEN_CONNECTIONS = 1_000;

function providersOf({
  providerCalls,
  ...account
}: Pick<Context, 'env' | 'vault' | 'clock'> & {
  providerCalls: ProviderCalls;
}): Context['providerOf'] {
  const open = new Map<string, ProviderFor>();
  return (connection, priority) => {
    const key = `${connection.id}.${connection.credentials}`;
    const known = open.get(key);
    if (known) return known(connection, priority);
    const guarded = providerCalls.guarded(connection, openProvider(account, connection));
    if (open.size >= MAX_OPEN_CONNECTIONS) open.clear();
    open.set(key, guarded);
    return guarded(connection, priority);
  };
}

function openProvider(
  { env, vault, clock }: Pick<Context, 'env' | 'vault' | 'clock'>,
  connection: StoredConnection,
): Provider {
  const { id, adapter, sandbox, mode } = connection;
  if (sandbox && env.sandboxUrl === null)
    throw new Error(`Connection ${id} calls the sandbox, but SANDBOX_URL is not set.`);
  const baseUrl = sandbox ? `${env.sandboxUrl}/${adapter}` : env.baseUrls[adapter]![mode as Mode];
  return providerNamed(adapter).open({
    credentials: openCredentials(vault, connection),
    baseUrl,
    mode: mode as Mode,
    clock,
  });
}
