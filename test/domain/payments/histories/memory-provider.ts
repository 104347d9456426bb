import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import type {
  DisputeQuery,
  PaidPayment,
  Provider,
  ProviderDispute,
  ProviderRefund,
  RefundOrder,
  Verification,
  WantedRefund,
} from '../../../../domain/providers/provider.ts';
import { ProviderError } from '../../../../domain/providers/provider-error.ts';
import { noSettlements } from '../../../support/no-settlements.ts';

/** How the next refund ends at the provider. `hidden`: it is not listed either, for a while. */
export const refundOutcomes = [
  ...['accepted', 'accepted without an answer', 'accepted without an answer, hidden'],
  ...['never received', 'refused', 'not reached', 'fails', 'needs attention'],
] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];

interface Payment {
  id: string;
  reference: string;
  amountKobo: number;
  payerFeeKobo: number;
  at: Date;
}

interface MemoryRefund {
  id: string;
  paymentId: string;
  refundId: string | null;
  amountKobo: number;
  state: ProviderRefund['state'];
  isHidden: boolean;
}

interface MemoryDispute {
  id: string;
  paymentId: string;
  state: ProviderDispute['state'];
}

/** A provider whose payments, refunds and disputes are lists in memory. */
export interface MemoryProvider extends Provider {
  payments: Payment[];
  refunds: MemoryRefund[];
  disputes: MemoryDispute[];
  /** The ids of requested refunds that were larger than what was left. */
  overdrawn: string[];
  nextRefund: RefundOutcome;
  pay(reference: string, amountKobo: number): void;
  decline(reference: string): void;
  /** A refund that somebody makes in the provider's dashboard. */
  refundInDashboard(paymentId: string, amountKobo: number): void;
  dispute(paymentId: string, state: 'open' | 'won' | 'lost'): void;
  /** Every refund that is under way completes and is listed. */
  finish(): void;
}

export interface ProviderKind {
  name: string;
  /** True: one reference can be paid any number of times. */
  takesTwice: boolean;
  refundsOnce: boolean;
  /** True: its payers pay its fee on top. */
  payersBearFee: boolean;
}

export function openMemoryProvider(
  { name, takesTwice, refundsOnce, payersBearFee }: ProviderKind,
  clock: () => Date,
): MemoryProvider {
  const declined = new Set<string>();
  let made = 0;
  const newId = (kind: string) => `${name}-${kind}-${++made}`;
  const leftOf = (paymentId: string) => {
    const gone = provider.refunds.filter(
      (refund) => refund.paymentId === paymentId && refund.state !== 'failed',
    );
    const paid = provider.payments.find(({ id }) => id === paymentId)!;
    return (
      paid.amountKobo +
      paid.payerFeeKobo -
      gone.reduce((sum, { amountKobo }) => sum + amountKobo, 0)
    );
  };
  const add = (
    { refundId, providerPaymentId, amountKobo }: RefundOrder,
    state: MemoryRefund['state'],
    isHidden: boolean,
  ) => {
    const refund = {
      id: refundsOnce ? refundId : newId('refund'),
      paymentId: providerPaymentId,
      refundId,
      amountKobo,
      state,
      isHidden,
    };
    provider.refunds.push(refund);
    return refund;
  };

  const listed = () => provider.refunds.filter(({ isHidden }) => !isHidden);
  const provider: MemoryProvider = {
    payments: [],
    refunds: [],
    disputes: [],
    overdrawn: [],
    nextRefund: 'accepted',
    capabilities: {
      ...monnify.capabilities,
      rejectsDuplicateReferences: !takesTwice,
      paysAgain: takesTwice ? 'unlisted' : 'never',
      idempotentRefunds: refundsOnce,
    },

    pay(reference, amountKobo) {
      if (!takesTwice && provider.payments.some((payment) => payment.reference === reference))
        return;
      const payerFeeKobo = payersBearFee ? Math.floor(amountKobo / 100) : 0;
      const id = newId('payment');
      provider.payments.push({ id, reference, amountKobo, payerFeeKobo, at: clock() });
    },
    decline: (reference) => void declined.add(reference),
    refundInDashboard(paymentId, amountKobo) {
      const most = Math.min(amountKobo, leftOf(paymentId));
      if (most > 0)
        provider.refunds.push({
          id: newId('refund'),
          paymentId,
          refundId: null,
          amountKobo: most,
          state: 'processing',
          isHidden: false,
        });
    },
    dispute(paymentId, state) {
      const open = provider.disputes.find(
        (dispute) => dispute.paymentId === paymentId && dispute.state === 'open',
      );
      if (open) open.state = state;
      else if (leftOf(paymentId) > 0)
        provider.disputes.push({ id: newId('dispute'), paymentId, state });
    },
    finish() {
      for (const refund of provider.refunds) {
        refund.isHidden = false;
        if (refund.state === 'processing' || refund.state === 'attention')
          refund.state = 'completed';
      }
    },

    async create() {
      throw new Error('no history creates payments');
    },
    async verify(reference) {
      const paid = provider.payments.filter((payment) => payment.reference === reference);
      return verificationOf(paid, declined.has(reference), provider.refunds);
    },
    async refund(order) {
      const { nextRefund } = provider;
      provider.nextRefund = 'accepted';
      if (refundsOnce && provider.refunds.some(({ refundId }) => refundId === order.refundId))
        throw failed('duplicate');
      if (order.amountKobo > leftOf(order.providerPaymentId)) {
        provider.overdrawn.push(order.refundId);
        throw failed('refused');
      }
      if (nextRefund === 'refused') throw failed('refused');
      if (nextRefund === 'not reached') throw failed('retryable');
      if (nextRefund === 'never received') throw failed('unknown');
      const refund = add(
        order,
        nextRefund === 'needs attention' ? 'attention' : 'processing',
        nextRefund === 'accepted without an answer, hidden',
      );
      const stated = shapeOf(refund);
      if (nextRefund === 'fails') refund.state = 'failed';
      if (
        nextRefund === 'accepted without an answer' ||
        nextRefund === 'accepted without an answer, hidden'
      )
        throw failed('unknown');
      return stated;
    },
    async findRefund({ refundId, providerRefundId }: WantedRefund) {
      const found = listed().find(
        (refund) => refund.id === providerRefundId || refund.refundId === refundId,
      );
      return found && shapeOf(found);
    },
    listRefunds: async ({ providerPaymentId }: PaidPayment) =>
      listed()
        .filter(({ paymentId }) => paymentId === providerPaymentId)
        .map(shapeOf),
    listAccountRefunds: null,
    async listDisputes(query: DisputeQuery) {
      const wanted = 'payment' in query ? query.payment.providerPaymentId : undefined;
      return provider.disputes
        .filter(({ paymentId }) => wanted === undefined || paymentId === wanted)
        .map(({ id, paymentId, state }) => ({
          ...{ providerDisputeId: id, providerPaymentId: paymentId, state, status: state },
          ...{ amountKobo: null, raw: `${id} ${state}` },
        }));
    },
    checkCredentials: async () => {},
    ...noSettlements,
    readNotification: () => undefined,
  };
  return provider;
}

function verificationOf(
  paid: readonly Payment[],
  isDeclined: boolean,
  refunds: readonly MemoryRefund[],
): Verification {
  const state = paid.length > 0 ? 'paid' : isDeclined ? 'declined' : 'unpaid';
  const captures = paid.map(({ id, reference, amountKobo, payerFeeKobo, at }) => ({
    ...{
      providerPaymentId: id,
      reference,
      amountKobo,
      payerFeeKobo,
      feeKobo: payerFeeKobo > 0 ? 0 : Math.floor(amountKobo / 100),
      currency: 'NGN',
      channel: 'card' as const,
    },
    ...{ mode: 'test', createdAt: at, capturedAt: at },
  }));
  const hasRefunds = refunds.some(
    (refund) => paid.some(({ id }) => id === refund.paymentId) && refund.state === 'completed',
  );
  const failureMessage = isDeclined ? 'Insufficient funds' : null;
  return {
    state,
    status: state,
    captures,
    hasRefunds,
    unknownWords: [],
    failureMessage,
    raw: JSON.stringify(captures),
  };
}

function shapeOf({ id, refundId, amountKobo, state }: MemoryRefund): ProviderRefund {
  const stated = { providerRefundId: id, refundId, amountKobo, state, status: state };
  return { ...stated, message: null, completedAt: null, raw: JSON.stringify(stated) };
}

function failed(kind: ProviderError['kind']): ProviderError {
  return new ProviderError(kind, 'refund', `It was ${kind}.`);
}
