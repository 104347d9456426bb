import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type BenchStack, DATABASE } from './bench-stack.ts';
import { ask, type Target } from './load.ts';

/** Only what PostgreSQL itself logs begins so: the further lines of a statement are indented. */
const PREFIX = 'bench-of-';
const EXECUTED = new RegExp(`^${PREFIX}${DATABASE} LOG: +(?:execute|statement)\\b`, 'gm');

/** How many SQL statements one request costs, asked one after the other. */
export async function statementsPerRequest(
  stack: BenchStack,
  target: Target,
  requests: number,
): Promise<number> {
  const statements = await statementsDuring(stack, async () => {
    for (let sent = 0; sent < requests; sent++) await ask(target);
  });
  return statements / requests;
}

/**
 * How many SQL statements run in the service's database meanwhile: PostgreSQL logs each, from then
 * on.
 */
export async function statementsDuring(
  { postgres, postgresLog }: BenchStack,
  work: () => Promise<unknown>,
): Promise<number> {
  await logStatements(postgres.url('postgres'));
  await using log = await open(postgresLog, 'r');
  const { size } = await log.stat();
  await work();
  const after = await log.stat();
  const { buffer } = await log.read(Buffer.alloc(after.size - size), 0, after.size - size, size);
  return buffer.toString('utf8').match(EXECUTED)?.length ?? 0;
}

/** Resolves when sessions log: those that exist follow with their next statement. */
async function logStatements(adminUrl: string): Promise<void> {
  await runAlone(adminUrl, `alter system set log_line_prefix = '${PREFIX}%d '`);
  await runAlone(adminUrl, `alter system set log_statement = 'all'`);
  await runAlone(adminUrl, 'select pg_reload_conf()');
  while ((await runAlone(adminUrl, 'show log_statement')) !== 'all') await pause(20);
  await pause(200);
}

/** Runs one statement in a session of its own; returns the first value of its answer. */
async function runAlone(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
