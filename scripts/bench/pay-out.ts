import { until } from '../local/until.ts';
import { BenchFailure, type BenchRun } from './bench.ts';
import type { PipelineStack } from './pipeline-stack.ts';
import { controlSandbox } from './sandbox.ts';

/** Lets the sandbox pay out whatever was paid, until all of it is settled and nothing is due. */
export async function payOut(
  { stopped }: BenchRun,
  { stack, sandbox }: PipelineStack,
  withinMs: number,
): Promise<void> {
  const { db } = stack.context;
  const accounts = await sandbox.session.query<{ id: number }>(
    `select id from sandbox.document where kind = 'account'`,
  );
  for (const { id } of accounts) await controlSandbox(sandbox.url, 'settle', { account_id: id });
  await db.query(`update connection_tasks set due_at = now() where task = 'settlements'`);
  const isSettled = await until({ everyMs: 500, withinMs, ended: stopped }, async () => {
    const [left] = await db.query<{ count: number }>(
      `select (select count(*) from charges where status <> 'settled')
         + (select count(*) from settlements where status <> 'landed' and step <> 'forecast')
         + (select count(*) from notifications where status = 'received')
         + (select count(*) from deliveries where status = 'pending') as count`,
    );
    return left!.count === 0 ? true : undefined;
  });
  if (!isSettled) throw new BenchFailure('Some charges were not settled in time.');
}
