import { Command, InvalidArgumentError } from 'commander';
import { type OpenDatabase, openDatabase } from './database.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const defaultPort = 4010;

const program = new Command('sandbox')
  .description('The provider sandbox: answers like the payment providers, without their money.')
  .option('--database-url <url>', 'Postgres to keep its state in (default: $DATABASE_URL)')
  .option('--port <port>', 'port to listen on; 0 takes a free one', toPort, defaultPort)
  .option('--verbose', 'also write a line for every request')
  .parse();

const options = program.opts<{ databaseUrl?: string; port: number; verbose?: boolean }>();
const databaseUrl = options.databaseUrl ?? process.env.DATABASE_URL;
if (databaseUrl) await run(databaseUrl);
else fail('No database: set DATABASE_URL or pass --database-url.');

async function run(url: string): Promise<void> {
  await using database = openDatabase(url);
  await using sandbox = await start(database);
  if (!sandbox) return;
  console.log(
    `The provider sandbox answers at ${sandbox.url} (below it /paystack, /flutterwave and /monnify). Ctrl-C ends it.`,
  );
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, resolve);
  });
}

async function start(database: OpenDatabase): Promise<Sandbox | undefined> {
  try {
    return await startSandbox({
      sql: database.sql,
      port: options.port,
      now: () => new Date(),
      random: Math.random,
      log,
    });
  } catch (error) {
    fail(explain(error as NodeJS.ErrnoException));
    return undefined;
  }
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${options.port} is in use: choose another with --port.`;
  if (error.code === 'EACCES')
    return `Port ${options.port} may not be opened by this user: choose another with --port.`;
  return `The sandbox cannot start with this database: ${error.message || error.code}.`;
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

function log(message: string, fields: object = {}): void {
  if (message === 'request' && !options.verbose) return;
  console.error(JSON.stringify({ at: new Date().toISOString(), message, ...fields }));
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}
