import { Command, InvalidArgumentError } from 'commander';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import { SetupError } from '../../config/setup-error.ts';
import { openDatabase } from './database.ts';
import { startSandbox } from './sandbox.ts';

const program = new Command('sandbox')
  .description('The provider sandbox: answers like the payment providers, without their money.')
  .option('--database-url <url>', 'Postgres to keep its state in (default: $DATABASE_URL)')
  .option('--port <port>', 'port to listen on; 0 takes a free one', toPort, 4010)
  .option('--verbose', 'also write a line for every request')
  .parse();
const options = program.opts<{ databaseUrl?: string; port: number; verbose?: boolean }>();

await runUntilStopped(async (stopped) => {
  const databaseUrl = options.databaseUrl ?? process.env.DATABASE_URL;
  if (!databaseUrl) throw new SetupError('No database: set DATABASE_URL or pass --database-url.');
  await using database = openDatabase(databaseUrl);
  const { port } = options;
  const settings = { sql: database.sql, port, now: () => new Date(), random: Math.random, log };
  await using sandbox = await startSandbox(settings).catch(explain);
  process.stdout.write(
    `The provider sandbox answers at ${sandbox.url} (below it /paystack, /flutterwave and /monnify). Ctrl-C ends it.\n`,
  );
  await untilAborted(stopped);
});

/** Says in one sentence why it cannot start. */
function explain(error: NodeJS.ErrnoException): never {
  const { code, message } = error;
  if (error instanceof SetupError)
    throw new SetupError(`Port ${options.port} is in use: choose another with --port.`);
  if (code === 'EACCES')
    throw new SetupError(
      `Port ${options.port} may not be opened by this user: choose another with --port.`,
    );
  throw new SetupError(`The sandbox cannot start with this database: ${message || code}.`);
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
