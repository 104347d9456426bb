import { acceptOrReturnReview } from '../../../domain/payments/commands/accept-or-return-review.ts';
import {
  approveRefund,
  rejectRefund,
} from '../../../domain/payments/commands/approve-or-reject-refund.ts';
import { requestRefund } from '../../../domain/payments/commands/request-refund.ts';
import { Charge } from '../../../domain/payments/entities/charge.ts';
import { Review } from '../../../domain/payments/entities/review.ts';
import { askNewDisputes } from '../../../domain/payments/facts/ask-about-disputes.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/shared/units.ts';
import type { JobHandler } from '../../../workers/job-handler.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import { runJob } from '../../../workers/run-job.ts';
import { disputePayment } from '../../sandbox/disputes.ts';
import type { RefundEnding } from '../../sandbox/records.ts';
import { advanceRefunds } from '../../sandbox/refunds.ts';
import { abandonSale, orderOf } from './everyday.ts';
import { openSale, pay, paymentOf, type Sale } from './sale.ts';
import type { At, Story } from './story.ts';

/** Plans what a business has to deal with besides its sales. */
export function planIncidents(story: Story, at: At): void {
  let number = 3_800;
  const sold: Sold = (daysAgo, slot, then) =>
    story.plan(at(daysAgo, 9.5), async () => {
      const sale = await openSale(story, orderOf(story.dice, slot, ++number));
      story.pass(4 * MINUTE_MS);
      await pay(story, sale, { channel: slot === 'provider_c' ? 'bank_transfer' : 'card' });
      await then(sale);
    });
  planRefunds(story, sold);
  planDisputes(story, sold);
  planOddPayments(story, at);
}

type Sold = (daysAgo: number, slot: Slot, then: (sale: Sale) => unknown) => void;

type Then = (story: Story, sale: Sale, id: string) => Promise<unknown>;

const approve = ({ tx, owner }: Story, id: string) => tx((tx) => approveRefund(tx, owner, id));

/** Runs the job that sends or checks a refund; it waits where the money is held. */
export async function runRefundJob(story: Story, id: string, job: JobHandler): Promise<void> {
  await runJob(story.context, job, { id });
}

const sent =
  (ending: RefundEnding = 'completed'): Then =>
  async (story, sale, id) => {
    story.pass(35 * MINUTE_MS);
    await approve(story, id);
    story.sandbox.store.payment.change(paymentOf(story, sale), { nextRefund: ending });
    await runRefundJob(story, id, executeRefund);
    story.pass(5 * SECOND_MS);
    advanceRefunds(story.sandbox);
    await runRefundJob(story, id, checkRefund);
  };

const sentSlowly: Then = async (story, _sale, id) => {
  const dueAt = new Date(story.now().getTime() + 4 * DAY_MS);
  await approve(story, id);
  await runRefundJob(story, id, executeRefund);
  const { refund } = story.sandbox.store;
  const [newest] = refund.find('due');
  if (newest?.status === 'pending') refund.change(newest, { dueAt });
  story.pass(5 * SECOND_MS);
  await runRefundJob(story, id, checkRefund);
};

const rejected: Then = ({ pass, tx, owner }, _sale, id) => {
  pass(2 * HOUR_MS);
  const why = 'Cut to size on request, which cannot be returned.';
  return tx((tx) => rejectRefund(tx, owner, id, why));
};

const waits: Then = async () => {};

/** Sold so many days ago, and requested so long after that; some ask for a part of it. */
const refunds: readonly [number, Slot, afterMs: number, Then, reason: string, 'part'?][] = [
  [26, 'provider_a', DAY_MS, sent(), 'The customer returned the parcel unopened.'],
  [23, 'provider_c', DAY_MS, sent(), 'One piece was missing from the parcel.', 'part'],
  [16, 'provider_a', DAY_MS, sent(), 'The colour differs: a quarter back as agreed.', 'part'],
  [11, 'provider_c', DAY_MS, sent(), 'Out of stock after payment.'],
  [6, 'provider_b', DAY_MS, sent(), 'It took nine days: the delivery fee goes back.', 'part'],
  [13, 'provider_a', 2 * DAY_MS, sent('failed'), 'Wrong size, the parcel came back.'],
  [9, 'provider_a', DAY_MS, sent('needs-attention'), 'The customer cancelled before dispatch.'],
  [8, 'provider_b', 3 * HOUR_MS, rejected, 'She no longer likes the pattern.'],
  [3, 'provider_b', 2 * DAY_MS, sentSlowly, 'The parcel was lost by the courier.'],
  [4, 'provider_a', 3.27 * DAY_MS, waits, 'It arrived damaged; the photos are in ticket 2291.'],
  [3, 'provider_b', 2.2 * DAY_MS, waits, 'A part of the order was out of stock.', 'part'],
];

const PART = 0.25;

function planRefunds(story: Story, sold: Sold): void {
  for (const [daysAgo, slot, afterMs, then, reason, isPart] of refunds)
    sold(daysAgo, slot, (sale) =>
      story.later(afterMs, async () => {
        const id = await request(story, sale, reason, isPart && PART);
        await then(story, sale, id);
      }),
    );
}

/** Support requests a refund, of all or a part, which then waits for the Owner. */
async function request({ tx, support }: Story, sale: Sale, reason: string, part?: number) {
  const refund = await tx(async (tx) => {
    const charge = part && (await tx.em.findOneOrFail(Charge, { id: sale.chargeId }));
    const amountKobo = charge ? Math.round(charge.amount_kobo * part) : undefined;
    return requestRefund(tx, support, { chargeNumber: sale.number, amountKobo, reason });
  });
  return refund.id;
}

function planDisputes(story: Story, sold: Sold): void {
  const { later } = story;
  sold(21, 'provider_a', (sale) => {
    later(5 * DAY_MS, () => dispute(story, sale));
    later(12 * DAY_MS, () => dispute(story, sale, 'won'));
  });
  sold(18, 'provider_b', (sale) => {
    const reason = 'The customer does not recognise the payment.';
    later(3 * DAY_MS, () => request(story, sale, reason));
    later(4 * DAY_MS, () => dispute(story, sale));
    later(10 * DAY_MS, () => dispute(story, sale, 'lost'));
  });
  // Its refund was approved when the dispute came: it waits until the bank has decided.
  sold(7, 'provider_a', (sale) =>
    later(5 * DAY_MS, async () => {
      const reason = 'Delivered to the wrong address; the customer bought elsewhere.';
      const id = await request(story, sale, reason);
      story.pass(20 * MINUTE_MS);
      await approve(story, id);
      await dispute(story, sale);
      await runRefundJob(story, id, executeRefund);
    }),
  );
}

/** The payer's bank disputes a sale, or decides its dispute, and the service learns of it. */
async function dispute(story: Story, sale: Sale, outcome?: 'won' | 'lost'): Promise<void> {
  const { context, sandbox, accounts } = story;
  const answer = disputePayment(sandbox, paymentOf(story, sale), { outcome });
  if (typeof answer === 'string') throw new Error(`SV-${sale.number} is ${answer}.`);
  const { connection } = accounts[sale.slot];
  const provider = context.providerOf(connection, 'check');
  const asked = { inTx: context.inTx, provider, connectionId: connection.id };
  const since = new Date(answer.createdAt.getTime() - DAY_MS);
  const listed = await askNewDisputes(asked, since, { timeoutMs: context.timeouts.verifyMs });
  if (listed instanceof ProviderError) throw listed;
}

/** Payments that came too late, or with another amount than was asked for. */
function planOddPayments(story: Story, at: At): void {
  const { plan, dice, later } = story;
  plan(at(10, 20), async () => {
    const sale = await openSale(story, orderOf(dice, 'provider_a', 3_901));
    abandonSale(story, sale);
    later(37 * HOUR_MS, () => pay(story, sale, { channel: 'bank_transfer' }));
  });
  const underpaid = (daysAgo: number, slot: Slot, share: number, then?: Step) =>
    plan(at(daysAgo, 16), async () => {
      const wanted = orderOf(dice, slot, 3_910 + daysAgo);
      const sale = await openSale(story, wanted);
      story.pass(6 * MINUTE_MS);
      const amountKobo = Math.round(wanted.amount_kobo * share);
      await pay(story, sale, { channel: 'bank_transfer', amountKobo });
      await then?.();
    });
  underpaid(1, 'provider_a', 0.5);
  underpaid(2, 'provider_c', 0.9);
  underpaid(14, 'provider_a', 0.95, () => acceptNewestReview(story));
}

type Step = () => Promise<unknown>;

function acceptNewestReview({ pass, tx, tenantId, owner }: Story): Promise<unknown> {
  pass(45 * MINUTE_MS);
  const open = { tenant_id: tenantId, status: 'open' as const };
  return tx(async (tx) => {
    const { id } = await tx.em.findOneOrFail(Review, open, { orderBy: { id: 'desc' } });
    const decided = { id, decision: 'accepted' as const, note: 'A discount, by phone.' };
    return acceptOrReturnReview(tx, owner, decided);
  });
}
