import { parseArgs } from 'node:util';
import { print } from './print.js';
import { UsageError } from './usage-error.js';

const WAIT_MS = 30_000;
const WAIT_FOR_OWNER_MS = 600_000;

/**
 * What the sandbox's customer does, so that each type of event happens. `decision`: what an Owner
 * does, as no key may, once the command has requested a refund.
 */
export const ways = {
  'charge.succeeded': { scenario: 'paid' },
  'charge.failed': { scenario: 'declined' },
  'charge.disputed': { scenario: 'dispute_lost' },
  'dispute.closed': { scenario: 'dispute_lost' },
  'refund.requested': { scenario: 'paid', isRefundRequested: true },
  'refund.approved': { scenario: 'paid', isRefundRequested: true, decision: 'Approve' },
  'refund.rejected': { scenario: 'paid', isRefundRequested: true, decision: 'Reject' },
  'refund.failed': { scenario: 'refund_fails', isRefundRequested: true, decision: 'Approve' },
  'refund.completed': { scenario: 'reversed' },
};

/** What no key causes: the body of the sandbox's `/_control/settle`, which operators reach. */
const payouts = { 'settlement.landed': '{}', 'discrepancy.opened': '{"short_by_kobo": 5000}' };

export const triggers = Object.keys(ways);

/** Makes an event happen, with a charge in test mode, and prints it. */
export async function trigger(payments, key, args, signal) {
  const [type = '', ...more] = parseArgs({ args, allowPositionals: true }).positionals;
  const { scenario, isRefundRequested, decision } = ways[type] ?? {};
  if (Object.hasOwn(payouts, type)) {
    throw new UsageError(
      `${type} follows from a payout, which no key causes. Whoever runs the sandbox makes one, at ` +
        'its address (npm start prints it: here its usual one), and it is found within the hour:\n' +
        "curl http://localhost:4001/_control/settle -H 'Content-Type: application/json' " +
        `-d '${payouts[type]}'`,
    );
  }
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
  const waitMs = decision ? WAIT_FOR_OWNER_MS : WAIT_MS;
  const timeout = AbortSignal.timeout(waitMs);
  const either = AbortSignal.any([signal, timeout]);
  for await (const event of payments.events.follow({ store, signal: either })) {
    if (event.data.reference !== reference) continue;
    if (event.type === type) return print(event);
    if (isRefundRequested && event.type === 'charge.succeeded') {
      const reason = `payments trigger ${type}`;
      const { id } = await payments.refunds.request({ reference, reason });
      const page = charge.checkout_url.replace(/\/pay\/[^/]*$/, `/dashboard/refunds/${id}`);
      if (decision) process.stderr.write(`${decision} the refund as an Owner: ${page}\n`);
    }
  }
  // Read here, the signal is not collected before: AbortSignal.any() does not hold it.
  if (!timeout.aborted) return;
  process.stderr.write(`${reference} was made, but no ${type} came within ${waitMs / 1000} s\n`);
  process.exitCode = 1;
}
