import type { Account, Payment, Refund } from '../records.ts';
import { createRefund, findRefund, findRefundByReference } from '../refunds.ts';
import type { Store } from '../store.ts';
import { type Filters, filtered, get, isWithin, post, toKobo, toNaira, toText } from '../wire.ts';
import { malformed, ok, pageAnswer, read, refuse } from './answers.ts';
import { epochDate, slashDate } from './dates.ts';
import { byTransfer } from './transaction-shape.ts';
import { findSale } from './transactions.ts';

const smallestKobo = 10_000;
const longestReason = 64;
const longestNote = 16;

/** `POST /api/v1/refunds/initiate-refund`: the merchant's reference is accepted once. */
const initiateRefund = post('/api/v1/refunds/initiate-refund', (context, { account, body }) => {
  const { store } = context;
  const request = readRequest(body);
  if (findRefundByReference(store, account, request.reference))
    return refuse(422, 'Refund reference has already been used', 'R9');
  const sale =
    findSale(store, account, request.transactionReference) ??
    refuse(404, 'Transaction to be refunded does not exist', 'R1');
  expectRefundable(sale, request.amountKobo);
  const refund = createRefund(context, sale, request);
  return typeof refund === 'string'
    ? refuse(422, 'Sum of refunds exceeds the amount paid', 'R12')
    : { ...ok(refundShape(sale, refund)), accepted: true };
});

function readRequest(body: Record<string, unknown>) {
  const required = (name: string) => toText(body[name]) ?? malformed();
  const request = {
    transactionReference: required('transactionReference'),
    reference: required('refundReference'),
    merchantNote: required('refundReason'),
    customerNote: required('customerNote'),
    amountKobo: toKobo(body.refundAmount) ?? malformed(),
  };
  const { merchantNote, customerNote } = request;
  if (merchantNote.length > longestReason || customerNote.length > longestNote)
    return refuse(422, 'Refund reason or customer note is too long', 'R8');
  return request;
}

/** Only what came by transfer goes back, and not in small change. */
function expectRefundable(sale: Payment, amountKobo: number): void {
  if (!byTransfer(sale)) refuse(422, 'Refund is not permitted for this transaction', 'R2');
  if (amountKobo < smallestKobo) refuse(422, 'Refund amount is below the minimum of 100.00', 'R4');
  if (amountKobo > sale.paidKobo!)
    refuse(422, 'Refund amount is above the transaction amount', 'R3');
}

const getRefund = get('/api/v1/refunds/:reference', ({ store }, { account, params }) => {
  const refund =
    findByReference(store, account, params.reference!) ??
    refuse(404, 'Refund does not exist', 'R7');
  return ok(refundShape(store.payment.get(refund.paymentId)!, refund));
});

/** One made in the dashboard is found by its number, any other by its reference alone. */
function findByReference(store: Store, account: Account, reference: string): Refund | undefined {
  const [, id] = new RegExp(`^${dashboardPrefix}(\\d{1,15})$`).exec(reference) ?? [];
  const unnamed = findRefund(store, account, Number(id ?? 0));
  const named = findRefundByReference(store, account, reference);
  return named ?? (unnamed?.reference === null ? unnamed : undefined);
}

/** `GET /api/v1/refunds`: an account's refunds, newest first, or those that the filters name. */
const getRefunds = get('/api/v1/refunds', ({ store }, { account, query }) => {
  const known = Object.values(refundStatus);
  read(query, 'refundStatus', (status) => known.find((other) => other === status));
  const span = { from: read(query, 'from', epochDate), to: read(query, 'to', epochDate) };
  const found = store.refund
    .find(`account ${account.id}`)
    .filter((refund) => isWithin(refund, span))
    .map((refund) => [store.payment.get(refund.paymentId)!, refund] as const);
  const filters: Filters<(typeof found)[number]> = {
    transactionReference: ([sale]) => sale.accessCode,
    refundStatus: ([, refund]) => refundStatus[refund.status],
  };
  const toWire = ([sale, refund]: (typeof found)[number]) => refundShape(sale, refund);
  return pageAnswer(query, filtered(found, query, filters), toWire);
});

/** The state of a refund: one that needs attention is pending, one on its way already completed. */
const refundStatus: Record<Refund['status'], string> = {
  ...{ pending: 'PENDING', processing: 'COMPLETED', 'needs-attention': 'PENDING' },
  ...{ completed: 'COMPLETED', failed: 'FAILED' },
};

const dashboardPrefix = 'MNFYRFD';

const comment: Record<Refund['status'], string> = {
  ...{ pending: 'Refund is being processed', processing: 'Transaction refund is in progress.' },
  'needs-attention': 'Refund is being processed',
  ...{ completed: 'Refund processed successfully', failed: 'Refund could not be completed' },
};

/** The merchant's reference, or Monnify's own for one made in its dashboard. */
const refundReference = ({ id, reference }: Refund) => reference ?? `${dashboardPrefix}${id}`;

/** A refund as every endpoint shows it; once it has ended, with when. */
export function refundShape(payment: Payment, refund: Refund) {
  const status = refundStatus[refund.status]!;
  return {
    refundReference: refundReference(refund),
    transactionReference: payment.accessCode,
    refundReason: refund.merchantNote,
    customerNote: refund.customerNote,
    refundAmount: toNaira(refund.amountKobo),
    refundType: refund.amountKobo === payment.paidKobo ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    refundStatus: status,
    refundStrategy: 'MERCHANT_WALLET',
    comment: comment[refund.status],
    createdOn: slashDate(refund.createdAt),
    ...(hasEnded(refund) && { completedOn: slashDate(refund.updatedAt) }),
  };
}

const hasEnded = ({ status }: Refund): boolean => status === 'completed' || status === 'failed';

export const refunds = [initiateRefund, getRefund, getRefunds];
