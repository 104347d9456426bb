import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Semaphore, withTimeout } from 'async-mutex';
import { Problem } from '../../../domain/shared/problems.ts';
import type { Table } from './tables.ts';

/** What is on the pages of a statement. */
export interface Paper {
  title: string;
  business: string;
  facts: readonly (readonly [name: string, value: string])[];
  tables: readonly Table[];
}

/** A page costs some 50 ms of a processor, so there is one statement at a time. */
const WAIT_MS = 20_000;
const busy = new Problem('unavailable', 'Other statements are being printed. Try again shortly.', {
  headers: { 'Retry-After': '10' },
});
const slot = withTimeout(new Semaphore(1), WAIT_MS, busy);

/** In a thread of its own, beside which requests are answered. */
export function printed(paper: Paper): Promise<Buffer> {
  return slot.runExclusive(async () => {
    const worker = new Worker(new URL('pdf-worker.ts', import.meta.url), {
      workerData: paper,
      env: {},
    });
    const [pdf] = await once(worker, 'message');
    return Buffer.from(pdf);
  });
}
