import { setFaults } from '../bench/sandbox.ts';
import { until } from '../local/until.ts';
import type { Deployment } from './deployment.ts';
import type { Shop } from './shop.ts';

/** Something that breaks, and the alert that must reach a person. */
export interface Fault {
  what: string;
  alert: string;
  make(): Promise<unknown>;
  /** Called every second until the alert is there. */
  goOn?(): Promise<unknown>;
  mend(): Promise<unknown>;
}

/** The provider's alert compares five minutes, and the circuit breaker thins out what fails. */
const PAGED_WITHIN_MS = 10 * 60_000;

/** `broken`: a shop of its own for the row that always throws. */
export function faultsOf(deployment: Deployment, broken: Shop): Fault[] {
  const { startPart, killPart, query, sandboxUrl } = deployment;
  const workers = ['workers-1', 'workers-2'] as const;
  return [
    {
      what: 'an API is killed',
      alert: 'ApiDown',
      make: () => killPart('api-2'),
      mend: () => startPart('api-2'),
    },
    {
      what: 'all workers are killed',
      alert: 'WorkersDown',
      make: () => Promise.all(workers.map(killPart)),
      mend: () => Promise.all(workers.map(startPart)),
    },
    {
      what: 'Redis is killed',
      alert: 'QueueStoreAway',
      make: () => killPart('redis'),
      mend: () => startPart('redis'),
    },
    {
      what: 'a row always throws: nobody can open the credentials of its connection',
      alert: 'RowFailsAgain',
      async make() {
        await spoilCredentials(deployment, broken);
        await broken.order();
      },
      // It really is tried so often; only the minutes between its tries are left out.
      goOn: () =>
        query('update attempts set due_at = now() where connection_id = $1 and due_at > now()', [
          broken.connectionId,
        ]),
      mend: () =>
        query('update attempts set due_at = null, failures = 0 where connection_id = $1', [
          broken.connectionId,
        ]),
    },
    {
      what: 'the provider answers every call with an error',
      alert: 'ProviderFails',
      make: () => setFaults(sandboxUrl, { provider: 'paystack', error_rate: 1 }),
      mend: () => setFaults(sandboxUrl, {}),
    },
  ];
}

export async function spoilCredentials({ query }: Deployment, { connectionId }: Shop) {
  await query(`update connections set credentials = 'unreadable' where id = $1`, [connectionId]);
}

/** Breaks it, and mends it once a mail tells of it. Returns the seconds; undefined: none came. */
export async function provoke(
  { make, goOn, mend, alert }: Fault,
  { mailbox }: Deployment,
  stopped: AbortSignal,
): Promise<number | undefined> {
  const earlier = mailbox.mails.at(-1)?.number ?? 0;
  const madeMs = performance.now();
  await make();
  const patience = { everyMs: 1_000, withinMs: PAGED_WITHIN_MS, ended: stopped };
  const mail = await until(patience, async () => {
    await goOn?.();
    return mailbox.mails.find(
      ({ number, subject }) => number > earlier && subject.startsWith(`FIRING ${alert} `),
    );
  });
  const tookMs = performance.now() - madeMs;
  await mend();
  return mail && tookMs / 1_000;
}
