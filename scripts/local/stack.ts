import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import winston from 'winston';
import { createApiServer } from '../../api/server.ts';
import { type Context, openContext } from '../../config/context.ts';
import { type Env, readEnv } from '../../config/env.ts';
import { listen } from '../../config/listen.ts';
import { SetupError } from '../../config/setup-error.ts';
import { type QueueName, queueNames } from '../../domain/jobs.ts';
import { startPools } from '../../workers/pools.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { registerSandboxAccounts } from '../sandbox-tenant.ts';
import { demoTenant } from './demo-tenant.ts';
import { localMasterKey, openLocalDir, storedText, writePrivate } from './files.ts';
import { startMailbox } from './mailbox.ts';
import { startPostgres } from './postgres.ts';
import { startReceiver } from './receiver.ts';

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** `demo.json`: everything a script needs to use the local stack. */
export type Demo = Stack['demo'];

const comparing: readonly QueueName[] = ['settlement-reconcile', 'payment-audit', 'refunds-list'];

const DATABASE = 'payments';
const OPERATOR = 'operator';

/** Starts everything in order, and writes `demo.json` once all of it answers. */
export async function startStack(dir: string, port: number, print: (line: string) => void) {
  await openLocalDir(dir);
  await using scope = new AsyncDisposableStack();
  const mailbox = scope.use(await nearPort(port + 3, startMailbox));
  const receiver = scope.use(await nearPort(port + 2, (at) => startReceiver(at, mailbox)));
  const home = { dir: join(dir, 'postgres'), durable: true, hasSocket: true };
  const postgres = scope.use(await startPostgres({ ...home, log: print }));
  // Only now is the folder ours: a stack that already runs in it keeps its file.
  await rm(join(dir, 'demo.json'), { force: true });
  await postgres.createDatabase(DATABASE);
  const env = await localEnv(dir, port, postgres.socketUrl(DATABASE), mailbox.url);
  const log = fileLog(join(dir, 'service.log'));
  await migrateDatabase(env.databaseUrl, new Date());
  const context = scope.use(await openContext(env, { log }));
  const server = scope.use(await listen(createApiServer(context), port));
  const sandbox = scope.use(await nearPort(port + 1, (at) => openSandbox(context, at)));
  env.sandboxUrl = sandbox.url;
  const file = join(dir, 'demo-tenant.json');
  const tenant = await demoTenant(context, file, `${receiver.url}/webhooks`);
  await registerSandboxAccounts(context);
  const atOnce = queueNames.filter((name) => !comparing.includes(name));
  scope.use(startPools(context, atOnce));
  const demo = {
    ...addressesOf(server.port, env),
    ...operatorsOf(env),
    ...{ sandbox_url: sandbox.url, receiver_url: receiver.url, redis_url: env.redisUrl },
    ...{ database_url: postgres.url(DATABASE), ...tenant },
  };
  await writePrivate(join(dir, 'demo.json'), `${JSON.stringify(demo, null, 2)}\n`);
  scope.defer(() => rm(join(dir, 'demo.json'), { force: true }));
  const running = scope.move();
  return {
    context,
    sandbox,
    demo,
    receiver,
    /** Starts the pools that lock a whole connection, as a history under way does. */
    startComparing: () => void running.use(startPools(context, comparing)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export function addressesOf(port: number, { basePath }: Pick<Env, 'basePath'>) {
  const site = `http://localhost:${port}${basePath}`;
  return {
    base_url: `${site}/v1`,
    dashboard_url: `${site}/dashboard`,
    board_url: `${site}/ops/queues`,
  };
}

/** One of our own, where whoever starts this names no OPERATORS: then these alone are let in. */
function operatorsOf({ operators, operator }: Env) {
  if (operators === null)
    return { operators: '', board_user: OPERATOR, board_password: operator!.password };
  const lines = [...operators].map(([name, hash]) => `${name}:${hash}`);
  return { operators: lines.join('\n'), board_user: null, board_password: null };
}

async function localEnv(
  dir: string,
  port: number,
  databaseUrl: string,
  smtpUrl: string,
): Promise<Env> {
  const password = await storedText(join(dir, 'operator.password'), () =>
    randomBytes(15).toString('base64url'),
  );
  return readEnv({
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    MASTER_KEY: await localMasterKey(dir),
    OPERATOR_USER: OPERATOR,
    OPERATOR_PASSWORD: password,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Payments <payments@localhost>',
    WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
  });
}

/** The log goes to a file: the terminal is for the demo run. */
function fileLog(filename: string): winston.Logger {
  const format = winston.format.combine(winston.format.timestamp(), winston.format.json());
  const options = { flags: 'a', mode: 0o600 };
  const file = { filename, maxsize: 20_000_000, maxFiles: 2, options };
  const transports = [new winston.transports.File(file)];
  return winston.createLogger({ level: process.env.LOG_LEVEL || 'info', format, transports });
}

function openSandbox(context: Context, port: number): Promise<Sandbox> {
  const log = (message: string, fields: object = {}) =>
    void context.log.debug(`sandbox ${message}`, fields);
  return startSandbox({ sql: context.db, port, now: context.clock, random: Math.random, log });
}

/** The port next to ours when it is free, so that addresses stay the same; else any free one. */
async function nearPort<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port > 65_535 ? 0 : port);
  } catch (error) {
    if (error instanceof SetupError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      return start(0);
    throw error;
  }
}
