import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import {
  type DisputeQuery,
  type PaidPayment,
  type Provider,
  type ProviderDispute,
  ProviderError,
  type ProviderRefund,
  type RefundOrder,
  type Verification,
  type WantedRefund,
} from '../../../../domain/providers/provider.ts';
import { noSettlements } from '../../../support/no-settlements.ts';

/**
 * What the next refund comes to. `lost`: taken, but its answer does not arrive. `late`: nor is it
 * shown for long. `vanished`: never taken.
 */
export const fates = [
  'taken',
  'lost',
  'late',
  'vanished',
  'refused',
  'away',
  'fails',
  'attention',
] as const;
export type Fate = (typeof fates)[number];

interface Payment {
  id: string;
  reference: string;
  amountKobo: number;
  at: Date;
}

interface BankRefund {
  id: string;
  paymentId: string;
  refundId: string | null;
  amountKobo: number;
  state: ProviderRefund['state'];
  isHidden: boolean;
}

interface BankDispute {
  id: string;
  paymentId: string;
  state: ProviderDispute['state'];
}

/** A provider that is a few lists in memory, and remembers all that ever happened to its money. */
export interface Bank extends Provider {
  payments: Payment[];
  refunds: BankRefund[];
  disputes: BankDispute[];
  /** Refunds asked of it that were more than what was left, by whom. */
  overdrawn: string[];
  fate: Fate;
  pay(reference: string, amountKobo: number): void;
  decline(reference: string): void;
  /** As somebody may in its own dashboard. */
  refundElsewhere(paymentId: string, amountKobo: number): void;
  dispute(paymentId: string, state: 'open' | 'won' | 'lost'): void;
  /** What was under way ends. */
  finish(): void;
}

export interface BankNature {
  name: string;
  /** Takes money under one reference again and again. */
  takesTwice: boolean;
  refundsOnce: boolean;
}

export function openBank({ name, takesTwice, refundsOnce }: BankNature, clock: () => Date): Bank {
  const declined = new Set<string>();
  let made = 0;
  const newId = (kind: string) => `${name}-${kind}-${++made}`;
  const leftOf = (paymentId: string) => {
    const gone = bank.refunds.filter(
      (refund) => refund.paymentId === paymentId && refund.state !== 'failed',
    );
    return (
      bank.payments.find(({ id }) => id === paymentId)!.amountKobo -
      gone.reduce((sum, { amountKobo }) => sum + amountKobo, 0)
    );
  };
  const take = (
    { refundId, providerPaymentId, amountKobo }: RefundOrder,
    state: BankRefund['state'],
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
    bank.refunds.push(refund);
    return refund;
  };

  const shown = () => bank.refunds.filter(({ isHidden }) => !isHidden);
  const bank: Bank = {
    payments: [],
    refunds: [],
    disputes: [],
    overdrawn: [],
    fate: 'taken',
    capabilities: {
      ...monnify.capabilities,
      rejectsDuplicateReferences: !takesTwice,
      idempotentRefunds: refundsOnce,
    },

    pay(reference, amountKobo) {
      if (!takesTwice && bank.payments.some((payment) => payment.reference === reference)) return;
      bank.payments.push({ id: newId('payment'), reference, amountKobo, at: clock() });
    },
    decline: (reference) => void declined.add(reference),
    refundElsewhere(paymentId, amountKobo) {
      const most = Math.min(amountKobo, leftOf(paymentId));
      if (most > 0)
        bank.refunds.push({
          id: newId('refund'),
          paymentId,
          refundId: null,
          amountKobo: most,
          state: 'processing',
          isHidden: false,
        });
    },
    dispute(paymentId, state) {
      const open = bank.disputes.find(
        (dispute) => dispute.paymentId === paymentId && dispute.state === 'open',
      );
      if (open) open.state = state;
      else if (leftOf(paymentId) > 0)
        bank.disputes.push({ id: newId('dispute'), paymentId, state });
    },
    finish() {
      for (const refund of bank.refunds) {
        refund.isHidden = false;
        if (refund.state === 'processing' || refund.state === 'attention')
          refund.state = 'completed';
      }
    },

    async create() {
      throw new Error('not asked here');
    },
    async verify(reference) {
      const paid = bank.payments.filter((payment) => payment.reference === reference);
      return verificationOf(paid, declined.has(reference), bank.refunds);
    },
    async refund(order) {
      const { fate } = bank;
      bank.fate = 'taken';
      if (refundsOnce && bank.refunds.some(({ refundId }) => refundId === order.refundId))
        throw failed('duplicate');
      if (order.amountKobo > leftOf(order.providerPaymentId)) {
        bank.overdrawn.push(order.refundId);
        throw failed('refused');
      }
      if (fate === 'refused') throw failed('refused');
      if (fate === 'away') throw failed('retryable');
      if (fate === 'vanished') throw failed('unknown');
      const refund = take(
        order,
        fate === 'attention' ? 'attention' : 'processing',
        fate === 'late',
      );
      const stated = shapeOf(refund);
      if (fate === 'fails') refund.state = 'failed';
      if (fate === 'lost' || fate === 'late') throw failed('unknown');
      return stated;
    },
    async findRefund({ refundId, providerRefundId }: WantedRefund) {
      const found = shown().find(
        (refund) => refund.id === providerRefundId || refund.refundId === refundId,
      );
      return found && shapeOf(found);
    },
    listRefunds: async ({ providerPaymentId }: PaidPayment) =>
      shown()
        .filter(({ paymentId }) => paymentId === providerPaymentId)
        .map(shapeOf),
    async listDisputes(query: DisputeQuery) {
      const wanted = 'payment' in query ? query.payment.providerPaymentId : undefined;
      return bank.disputes
        .filter(({ paymentId }) => wanted === undefined || paymentId === wanted)
        .map(({ id, paymentId, state }) => {
          return {
            providerDisputeId: id,
            providerPaymentId: paymentId,
            state,
            status: state,
            amountKobo: null,
            raw: `${id} ${state}`,
          };
        });
    },
    checkCredentials: async () => {},
    ...noSettlements,
    readNotification: () => undefined,
  };
  return bank;
}

function verificationOf(
  paid: readonly Payment[],
  isDeclined: boolean,
  refunds: readonly BankRefund[],
): Verification {
  const state = paid.length > 0 ? 'paid' : isDeclined ? 'declined' : 'unpaid';
  const captures = paid.map(({ id, reference, amountKobo, at }) => ({
    ...{
      providerPaymentId: id,
      reference,
      amountKobo,
      feeKobo: Math.floor(amountKobo / 100),
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

function shapeOf({ id, refundId, amountKobo, state }: BankRefund): ProviderRefund {
  const stated = { providerRefundId: id, refundId, amountKobo, state, status: state };
  return { ...stated, message: null, completedAt: null, raw: JSON.stringify(stated) };
}

function failed(kind: ProviderError['kind']): ProviderError {
  return new ProviderError(kind, 'refund', `It was ${kind}.`);
}
