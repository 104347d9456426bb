import { expect } from 'chai';
import fc from 'fast-check';
import { poller } from '../api/events/given.ts';
import { newCharge } from '../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { emptyQueues } from '../support/reset-stack.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { type Stack, useStack } from '../support/stack.ts';

const CHARGES = 16;
const STEPS = 40;
/** Every payment is found within this, though no notification arrives and nobody reads a charge. */
const FOUND_WITHIN = 7 * HOUR;

const step = fc.record({
  what: fc.constantFrom(
    ...(['pay', 'pay', 'pay again', 'decline', 'faults', 'no faults', 'lose the queues'] as const),
  ),
  which: fc.nat(CHARGES - 1),
  waitMs: fc.integer({ min: SECOND, max: 40 * SECOND }),
  faults: fc.record({
    error_rate: fc.constantFrom(0, 0.3, 1),
    timeout_after_accept_rate: fc.constantFrom(0, 0.3),
    drop_notifications: fc.constantFrom(true, true, false),
    duplicate_notifications: fc.boolean(),
  }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe('Whatever faults are mixed', () => {
  const stack = useStack({ lists: true });

  it('every payment that a provider took is found, and no charge keeps two', async function () {
    this.timeout(120_000);
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
    const [steps] = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: 1,
      seed,
    });
    const reader = poller(stack);
    const seen: string[] = [];
    const references: string[] = [];
    for (let n = 0; n < CHARGES; n++) {
      const provider = ['provider_a', 'provider_b', 'provider_b', 'provider_c'][n % 4];
      references.push((await newCharge(stack, { provider })).reference);
    }
    await stack.settle();
    await withShortTimeouts(stack, ['createMs'], () => take(steps!, references));
    await stack.control.faults({ drop_notifications: true });
    for (let passedMs = 0; passedMs < FOUND_WITHIN; passedMs += 20 * MINUTE) {
      await stack.pass(20 * MINUTE);
      seen.push(...(await reader.poll()));
    }
    for (let n = 0; n < 3; n++) await stack.pass(5 * SECOND);
    expect(await unrecordedPayments(stack), `SEED=${seed}`).to.deep.equal([]);
    expect(await duplicatesKept(stack), `SEED=${seed}`).to.deep.equal([]);
    expect(await forgottenRows(stack), `SEED=${seed}`).to.deep.equal([]);
    await nothingHeldBack(stack);
    seen.push(...(await reader.poll()));
    const events = await stack.sql<{ id: string }>`select id from events`;
    expect(seen, `SEED=${seed}`).to.have.members(events.map(({ id }) => id));
  });

  async function take(steps: readonly Step[], references: readonly string[]): Promise<void> {
    for (const { what, which, waitMs, faults } of steps) {
      const pay = (options: Parameters<Stack['control']['pay']>[1]) =>
        stack.control
          .pay(references[which]!, { channel: 'bank_transfer', ...options })
          .catch(() => {}); // it is paid already, or was not created yet
      const actions: Record<typeof what, () => Promise<unknown>> = {
        pay: () => pay({}),
        'pay again': () => pay({ again: true }),
        decline: () => pay({ outcome: 'failed' }),
        faults: () => stack.control.faults(faults),
        'no faults': () => stack.control.faults({ drop_notifications: true }),
        'lose the queues': () => emptyQueues(stack),
      };
      await actions[what]();
      await stack.pass(waitMs);
    }
  }
});

async function unrecordedPayments({ sql }: Stack): Promise<object[]> {
  return sql`select p.reference, c.status as charge, a.status as attempt, a.due_at
     from (select id, body->>'reference' as reference, body->>'kind' as kind,
         body->>'paidAt' as paid_at from sandbox.document where kind = 'payment') p
       left join attempts a on a.reference = p.reference left join charges c on c.id = a.charge_id
     where p.paid_at is not null and p.kind <> 'link' and not exists (
       select from captures k where k.attempt_id = a.id and (
         k.provider_payment_id = p.id::text or p.kind = 'payment'))`;
}

/** Rows that are not final and that no worker would look at again. */
async function forgottenRows({ sql }: Stack): Promise<object[]> {
  return sql`select 'attempt' as what, status from attempts
       where due_at is null and status in ('queued', 'sending', 'unconfirmed')
     union all select 'refund', status from refunds where due_at is null
       and status in ('approved', 'sending', 'unconfirmed', 'unresolved', 'processing')
     union all select 'notification', status from notifications
       where due_at is null and status = 'received'
     union all select 'delivery', status from deliveries
       where due_at is null and status = 'pending'`;
}

async function duplicatesKept({ sql }: Stack): Promise<object[]> {
  return sql`select k.provider_payment_id, r.status, r.due_at from captures k
       left join refunds r on r.capture_id = k.id
     where k.status = 'duplicate' and r.status is distinct from 'completed'
       and r.attention is null and not exists (select from reviews v where v.capture_id = k.id)`;
}
