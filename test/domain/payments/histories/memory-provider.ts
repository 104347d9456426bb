import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import type { DisputeQuery, ProviderDispute } from '../../../../domain/providers/port/dispute.ts';
import type { PaidPayment, Verification } from '../../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import type {
  ProviderRefund,
  RefundOrder,
  WantedRefund,
} from '../../../../domain/providers/port/refund.ts';
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
  /** Null: not stated. */
  feeKobo: number | null;
  reversedKobo: number;
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
  /** As the provider states it; null: not at all. */
  amountKobo: number | null;
  lostKobo: number;
}

export interface ProviderKind {
  name: string;
  /** True: one reference can be paid any number of times. */
  takesTwice: boolean;
  refundsOnce: boolean;
  payersBearFee: boolean;
}

export type MemoryProvider = ReturnType<typeof openMemoryProvider>;

export function openMemoryProvider(
  { name, takesTwice, refundsOnce, payersBearFee }: ProviderKind,
  clock: () => Date,
) {
  const declined = new Set<string>();
  let made = 0;
  const newId = (kind: string) => `${name}-${kind}-${++made}`;
  const paymentOf = (paymentId: string) => provider.payments.find(({ id }) => id === paymentId)!;
  const refundedOf = (paymentId: string, states?: readonly ProviderRefund['state'][]) =>
    provider.refunds
      .filter((refund) => refund.paymentId === paymentId && refund.state !== 'failed')
      .filter(({ state }) => !states || states.includes(state))
      .reduce((sum, { amountKobo }) => sum + amountKobo, 0);
  const takenOf = (paymentId: string) =>
    provider.disputes
      .filter((dispute) => dispute.paymentId === paymentId)
      .reduce((sum, { lostKobo }) => sum + lostKobo, paymentOf(paymentId).reversedKobo);
  const paidOf = (paymentId: string) => {
    const { amountKobo, payerFeeKobo } = paymentOf(paymentId);
    return amountKobo + payerFeeKobo;
  };
  const leftOf = (paymentId: string) =>
    paidOf(paymentId) - refundedOf(paymentId) - takenOf(paymentId);
  const isReversed = (paymentId: string) =>
    refundedOf(paymentId, ['completed']) + takenOf(paymentId) >= paidOf(paymentId);
  const takeCall = (stage: string) => {
    const waitMs = (provider.limitedUntil?.getTime() ?? 0) - clock().getTime();
    if (waitMs > 0)
      throw new ProviderError('limited', stage, 'Too many requests.', { retryAfterMs: waitMs });
  };
  const add = (
    { refundId, providerPaymentId, amountKobo }: RefundOrder,
    state: MemoryRefund['state'],
    isHidden: boolean,
  ) => {
    const id = refundsOnce ? refundId : newId('refund');
    const refund = { id, paymentId: providerPaymentId, refundId, amountKobo, state, isHidden };
    provider.refunds.push(refund);
    return refund;
  };

  const listed = () => provider.refunds.filter(({ isHidden }) => !isHidden);
  const provider = {
    payments: [] as Payment[],
    refunds: [] as MemoryRefund[],
    disputes: [] as MemoryDispute[],
    overdrawn: [] as string[],
    nextRefund: 'accepted' as RefundOutcome,
    /** Until then it takes no calls; null: it takes them. */
    limitedUntil: null as Date | null,
    reverse(paymentId: string): void {
      paymentOf(paymentId).reversedKobo += Math.max(0, leftOf(paymentId));
    },
    topUp(paymentId: string, amountKobo: number): void {
      paymentOf(paymentId).amountKobo += amountKobo;
    },
    correctFee(paymentId: string, feeKobo: number | null): void {
      paymentOf(paymentId).feeKobo = feeKobo;
    },
    isReversed,
    /** The payments that an answer said were reversed, whatever became of them since. */
    statedReversed: new Set<string>(),
    capabilities: {
      ...monnify.capabilities,
      rejectsDuplicateReferences: !takesTwice,
      paysAgain: takesTwice ? 'unlisted' : 'never',
      idempotentRefunds: refundsOnce,
    },

    pay(reference: string, amountKobo: number): void {
      if (!takesTwice && provider.payments.some((payment) => payment.reference === reference))
        return;
      const payerFeeKobo = payersBearFee ? Math.floor(amountKobo / 100) : 0;
      const feeKobo = payersBearFee ? 0 : Math.floor(amountKobo / 100);
      const payment = { id: newId('payment'), reference, amountKobo, payerFeeKobo, feeKobo };
      provider.payments.push({ ...payment, reversedKobo: 0, at: clock() });
    },
    decline: (reference: string) => void declined.add(reference),
    refundInDashboard(paymentId: string, amountKobo: number): void {
      const most = Math.min(amountKobo, leftOf(paymentId));
      if (most > 0)
        provider.refunds.push({
          ...{ id: newId('refund'), paymentId, refundId: null, amountKobo: most },
          ...{ state: 'processing', isHidden: false },
        });
    },
    dispute(paymentId: string, state: 'open' | 'won' | 'lost', amountKobo: number | null): void {
      const leftKobo = leftOf(paymentId);
      const open = provider.disputes.find(
        (dispute) => dispute.paymentId === paymentId && dispute.state === 'open',
      );
      if (!open && leftKobo <= 0) return;
      const stated = amountKobo === null ? null : Math.min(amountKobo, leftKobo);
      const id = newId('dispute');
      const dispute = open ?? { id, paymentId, state, amountKobo: stated, lostKobo: 0 };
      if (!open) provider.disputes.push(dispute);
      dispute.state = state;
      if (state === 'lost')
        dispute.lostKobo = Math.max(0, Math.min(dispute.amountKobo ?? leftKobo, leftKobo));
    },
    finish(): void {
      provider.limitedUntil = null;
      for (const refund of provider.refunds) {
        refund.isHidden = false;
        if (refund.state === 'processing' || refund.state === 'attention')
          refund.state = 'completed';
      }
    },

    async create(): Promise<never> {
      throw new Error('no history creates payments');
    },
    async verify(reference: string): Promise<Verification> {
      takeCall('verify');
      const paid = provider.payments.filter((payment) => payment.reference === reference);
      for (const { id } of paid) if (isReversed(id)) provider.statedReversed.add(id);
      return verificationOf(paid, declined.has(reference), provider.refunds, isReversed);
    },
    async refund(order: RefundOrder): Promise<ProviderRefund> {
      takeCall('refund');
      const { nextRefund } = provider;
      provider.nextRefund = 'accepted';
      if (refundsOnce && provider.refunds.some(({ refundId }) => refundId === order.refundId))
        throw failed('duplicate');
      const { amountKobo, providerPaymentId: paymentId, refundId } = order;
      // What the provider or a bank took meanwhile, nobody may have told us yet.
      if (amountKobo > paidOf(paymentId) - refundedOf(paymentId)) provider.overdrawn.push(refundId);
      if (amountKobo > leftOf(paymentId)) throw failed('refused');
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
      if (nextRefund.startsWith('accepted without an answer')) throw failed('unknown');
      return stated;
    },
    async findRefund(wanted: WantedRefund): Promise<ProviderRefund | undefined> {
      takeCall('find refund');
      const found = listed().find(
        ({ id, refundId }) => id === wanted.providerRefundId || refundId === wanted.refundId,
      );
      return found && shapeOf(found);
    },
    async listRefunds({ providerPaymentId }: PaidPayment): Promise<ProviderRefund[]> {
      takeCall('list refunds');
      return listed()
        .filter(({ paymentId }) => paymentId === providerPaymentId)
        .map(shapeOf);
    },
    listAccountRefunds: null,
    listPastPayments: null,
    listPastRefunds: null,
    async listDisputes(query: DisputeQuery): Promise<ProviderDispute[]> {
      takeCall('list disputes');
      const wanted = 'payment' in query ? query.payment.providerPaymentId : undefined;
      return provider.disputes
        .filter(({ paymentId }) => wanted === undefined || paymentId === wanted)
        .map(({ id, paymentId, state, amountKobo }) => ({
          ...{ providerDisputeId: id, providerPaymentId: paymentId, state, status: state },
          ...{ amountKobo, raw: `${id} ${state}` },
        }));
    },
    respondToDispute: async () => {},
    checkCredentials: async () => {},
    ...noSettlements,
    readNotification: () => undefined,
  } satisfies Provider & Record<string, unknown>;
  return provider;
}

function verificationOf(
  paid: readonly Payment[],
  isDeclined: boolean,
  refunds: readonly MemoryRefund[],
  isReversed: (paymentId: string) => boolean,
): Verification {
  const state = paid.length > 0 ? 'paid' : isDeclined ? 'declined' : 'unpaid';
  const captures = paid.map(({ id, reference, at, ...paid }) => ({
    ...{ providerPaymentId: id, reference, amountKobo: paid.amountKobo, currency: 'NGN' },
    ...{ payerFeeKobo: paid.payerFeeKobo, feeKobo: paid.feeKobo },
    ...{ channel: 'card' as const, ...(isReversed(id) && { isReversed: true }) },
    ...{ mode: 'test', createdAt: at, capturedAt: at },
  }));
  const hasRefunds = paid.some(
    ({ id }) =>
      isReversed(id) ||
      refunds.some(({ paymentId, state }) => paymentId === id && state === 'completed'),
  );
  const failureMessage = isDeclined ? 'Insufficient funds' : null;
  const stated = { state, status: state, captures, hasRefunds, failureMessage } as const;
  return { ...stated, unknownWords: [], raw: JSON.stringify(captures) };
}

function shapeOf({ id, refundId, amountKobo, state }: MemoryRefund): ProviderRefund {
  const stated = { providerRefundId: id, refundId, amountKobo, state, status: state };
  return { ...stated, message: null, completedAt: null, raw: JSON.stringify(stated) };
}

function failed(kind: ProviderError['kind']): ProviderError {
  return new ProviderError(kind, 'refund', `It was ${kind}.`);
}
