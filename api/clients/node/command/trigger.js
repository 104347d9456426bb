import { parseArgs } from 'node:util';
import { print } from './print.js';
import { UsageError } from './usage-error.js';

const WAIT_MS = 30_000;

/** What the sandbox's customer does, so that each type of event happens. */
export const scenarios = {
  'charge.succeeded': 'paid',
  'charge.failed': 'declined',
  'charge.disputed': 'dispute_lost',
  'dispute.closed': 'dispute_lost',
  'refund.requested': 'paid',
  'refund.completed': 'reversed',
};

export const triggers = Object.keys(scenarios);

/** Makes an event happen, with a charge in test mode, and prints it. */
export async function trigger(payments, key, args, signal) {
  const [type = '', ...more] = parseArgs({ args, allowPositionals: true }).positionals;
  const scenario = scenarios[type];
  if (!scenario || more.length > 0) throw new UsageError(`Name one type: ${triggers.join(', ')}`);
  if (!key.startsWith('svc_sk_test_'))
    throw new UsageError('trigger takes a secret test key only, svc_sk_test_…');
  const { next_cursor } = await payments.events.list({ after: 'now' }).page();
  const charge = await payments.charges.create(
    { amount_kobo: 250_000, email: 'ada@example.com', description: `payments trigger ${type}` },
    { headers: { 'Test-Scenario': scenario } },
  );
  const { reference } = charge;
  process.stderr.write(`${reference}: ${charge.checkout_url}\n`);
  const store = { load: async () => next_cursor, save: async () => {} };
  const timeout = AbortSignal.timeout(WAIT_MS);
  const either = AbortSignal.any([signal, timeout]);
  for await (const event of payments.events.follow({ store, signal: either })) {
    if (event.data.reference !== reference) continue;
    if (event.type === type) return print(event);
    if (type === 'refund.requested' && event.type === 'charge.succeeded')
      await payments.refunds.request({ reference, reason: 'payments trigger refund.requested' });
  }
  // Read here, the signal is not collected before: AbortSignal.any() does not hold it.
  if (!timeout.aborted) return;
  process.stderr.write(`${reference} was made, but no ${type} came within ${WAIT_MS / 1000} s\n`);
  process.exitCode = 1;
}
