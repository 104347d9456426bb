import { createCharge } from '../../workers/charge-create.ts';
import { runJob } from '../../workers/run-job.ts';
import type { Stack } from './stack.ts';

/** Runs only the create job of a new charge, as a worker does. */
export async function openAtProvider({ context }: Stack, reference: string): Promise<void> {
  const [attempt] = await context.db.query<{ id: string; tries: number }>(
    `select id, tries from attempts where charge_id = (select id from charges where number = $1) and status = 'queued'`,
    [reference.slice('SV-'.length)],
  );
  await runJob(context, createCharge as Parameters<typeof runJob>[1], attempt!);
}
