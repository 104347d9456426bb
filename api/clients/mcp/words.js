import { naira } from './view.js';

const day = (time) => time.slice(0, 10);

/** Where the money of a payment is, and why it is not there yet. */
export function wordsOfPayment(payment, { settlement, next, refunds, dispute, discrepancies }) {
  const { reference, provider, amount_kobo, net_kobo, refunded_kobo } = payment;
  const amount = naira(amount_kobo);
  const net = `${naira(net_kobo)} after fees`;
  const sentences = {
    initiated: () => 'No money has come: the provider is being asked for a payment page.',
    pending: () => 'No money has come yet: the payer can still pay.',
    failed: () =>
      'No money came: it failed. Its reason is in failure_message. Money that comes later is not lost: the payment succeeds then, or waits under Reviews.',
    succeeded: () =>
      `It was paid on ${day(payment.occurred_at)}. ${provider} has ${net} and has not paid it out yet. ${wordsOfNext(next)}`,
    settled: () =>
      `It was paid on ${day(payment.occurred_at)} and paid out, ${net}, by settlement ${payment.settlement_id}. ${settlement ? wordsOfSettlement(settlement) : ''}`,
    refunded: () => 'All of it went back to the payer.',
    disputed: () =>
      `The payer’s bank asks for it back, and the provider holds the money until that is decided. ${wordsOfDispute(dispute)}`,
  };
  return [
    `${reference}, ${amount}, is ${payment.status}.`,
    sentences[payment.status]?.(),
    refunded_kobo > 0 &&
      payment.status !== 'refunded' &&
      `${naira(refunded_kobo)} of it went back.`,
    ...refunds.map(wordsOfRefund),
    wordsOfDiscrepancies(discrepancies),
  ]
    .filter(Boolean)
    .join(' ')
    .trim();
}

export function wordsOfSettlement(settlement) {
  const { id, status, landed_at, shortfall_kobo } = settlement;
  const expected = naira(settlement.expected_amount_kobo);
  const landed = naira(settlement.landed_amount_kobo ?? 0);
  const arrived = landed_at ? `${landed} arrived on ${day(landed_at)}` : `${landed} arrived`;
  const sentences = {
    expected: () => `is expected, ${expected}${dueOn(settlement)}: it has not arrived yet.`,
    landed: () => `landed: ${arrived}.`,
    short: () =>
      `is short: ${arrived}, ${naira(shortfall_kobo)} less than the ${expected} expected.`,
    failed: () => `failed: ${expected} did not arrive.`,
  };
  return `Settlement ${id} ${sentences[status]?.() ?? `is ${status}.`}`;
}

/** How its amount comes about. */
export function wordsOfTotals(settlement) {
  const { gross_kobo, fee_kobo, refunds_kobo, chargebacks_kobo, foreign_kobo } = settlement;
  return [
    `${naira(gross_kobo)} from ${settlement.transaction_count} payments`,
    `less ${naira(fee_kobo)} fees`,
    refunds_kobo && `less ${naira(refunds_kobo)} refunds`,
    chargebacks_kobo && `less ${naira(chargebacks_kobo)} lost disputes`,
    foreign_kobo && `with ${naira(foreign_kobo)} of other business at the provider`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.');
}

export function wordsOfDiscrepancies(discrepancies) {
  const open = discrepancies.filter(({ status }) => status === 'open');
  if (open.length === 0) return 'No discrepancy is open about it.';
  const named = open.map(
    ({ id, kind, difference_kobo }) => `${kind} (${id}, ${naira(difference_kobo)})`,
  );
  return `Open discrepancies: ${named.join('; ')}.`;
}

const approval =
  'It waits for an Owner of the business, who approves or rejects it in the dashboard under Refunds. No money has gone back.';

export function wordsOfRefund({ id, amount_kobo, status, attention }) {
  const sentences = {
    requested: () => `is requested. ${approval}`,
    approved: () => 'is approved and goes to the provider.',
    processing: () => 'is on its way: the provider has it.',
    completed: () => 'went back.',
    failed: () => 'failed. No money went back by it.',
    rejected: () => 'was rejected by an Owner. No money went back by it.',
    cancelled: () => 'was cancelled: the money went back another way.',
  };
  const words = `Refund ${id} of ${naira(amount_kobo)} ${sentences[status]?.() ?? `is ${status}.`}`;
  return attention ? `${words} A person has to see to it: ${attention}.` : words;
}

function wordsOfNext(next) {
  if (!next) return 'None of its payouts is announced.';
  return `Its payout ${next.id} of ${naira(next.expected_amount_kobo)} is expected${dueOn(next)}; it need not hold this payment.`;
}

function wordsOfDispute(dispute) {
  if (!dispute) return 'See Disputes in the dashboard.';
  const until = dispute.respond_by ? ` Answer by ${day(dispute.respond_by)}.` : '';
  return `Dispute ${dispute.id} is about ${naira(dispute.amount_kobo)}.${until}`;
}

const dueOn = ({ expected_date }) => (expected_date ? ` on ${expected_date}` : '');
