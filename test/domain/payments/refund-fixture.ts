import winston from 'winston';
import type { Context } from '../../../config/context.ts';
import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import { timeouts } from '../../../domain/jobs.ts';
import { acceptOrReturnReview } from '../../../domain/payments/accept-or-return-review.ts';
import { approveRefund } from '../../../domain/payments/approve-or-reject-refund.ts';
import { type ClearUp, clearUpRefund } from '../../../domain/payments/clear-up-refund.ts';
import type { DisputeStatus } from '../../../domain/payments/dispute/transitions.ts';
import { recordDispute } from '../../../domain/payments/record-dispute.ts';
import { recordListedRefunds } from '../../../domain/payments/record-listed-refunds.ts';
import type { RefundRow } from '../../../domain/payments/refund/row.ts';
import { requestRefund } from '../../../domain/payments/request-refund.ts';
import {
  type PaidPayment,
  type Provider,
  ProviderError,
  type ProviderRefund,
  type RefundOrder,
} from '../../../domain/providers/provider.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { runJob } from '../../../workers/pool.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import type { Ledger } from '../ledger.ts';
import { openCharge, paid, recordNotice } from '../notices.ts';

/**
 * A charge of ₦5,000 whose money goes back by the real rules and workers, at a provider that is a
 * list.
 */
export interface MoneyBack {
  chargeId: string;
  /** The refunds the provider holds. What a test puts here was begun elsewhere, or shows late. */
  shown: ProviderRefund[];
  /** Asks the provider for what it shows. */
  list: () => Promise<ProviderRefund[]>;
  /** What the provider was asked to send back, in kobo. */
  sent: number[];
  /**
   * What the provider answers when it is asked to send money back. Usually it completes it at once.
   */
  answer: (order: RefundOrder) => ProviderRefund | Promise<ProviderRefund>;
  /** Its payer pays, in all, that much by now. */
  pay(amountKobo: number): Promise<void>;
  /** Requests a refund of all that is left, and approves it. */
  refund(): Promise<string>;
  /** Takes in what the provider shows. */
  takeIn(): Promise<void>;
  clearUp(refundId: string, decision: ClearUp): Promise<void>;
  dispute(state: DisputeStatus): Promise<void>;
  /** Decides the one open review. */
  decide(decision: 'accepted' | 'returned'): Promise<void>;
  /** Does what is next of a refund, when it is due. */
  work(refundId: string): Promise<void>;
  /** The refunds as they stand, oldest first. */
  refunds(): Promise<RefundRow[]>;
}

/** A refund the provider shows: of the whole charge and completed, but for what a test says. */
export function shownRefund(
  fields: Partial<ProviderRefund> & { providerRefundId: string },
): ProviderRefund {
  const usual = {
    refundId: null,
    amountKobo: 500_000,
    state: 'completed' as const,
    message: null,
    completedAt: null,
    raw: '{}',
  };
  return { ...usual, status: fields.state ?? 'completed', ...fields };
}

export const noAnswer = async (): Promise<never> => {
  throw new ProviderError('unknown', 'refund', 'no answer');
};

export async function moneyBack(ledger: Ledger, { refundsOnce = false } = {}): Promise<MoneyBack> {
  const { id: chargeId, attempt } = await openCharge(ledger);
  const { number, tenant_id: tenantId } = await ledger.charge(chargeId);
  const actor: Actor = { tenantId, mode: 'test', subjectId: 'key_test', memberId: null };
  const providerPaymentId = `pay-${attempt.reference}`;
  const context = contextOf(ledger, {
    capabilities: { idempotentRefunds: refundsOnce },
  } as Provider);
  const its: MoneyBack = {
    ...{ chargeId, shown: [], sent: [] },
    list: async () => its.shown,
    answer: ({ refundId, amountKobo }) =>
      shownRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo }),
    pay: async (amountKobo) =>
      void (await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo }))),
    async refund() {
      let id = '';
      await ledger.tx(async (tx) => {
        id = (
          await requestRefund(tx, actor, {
            chargeNumber: number,
            amountKobo: undefined,
            reason: 'Wrong size',
          })
        ).id;
        return (await approveRefund(tx, actor, id)).jobs;
      });
      return id;
    },
    async takeIn() {
      const payment = { connectionId: attempt.connection_id, providerPaymentId };
      await ledger.tx((tx) => recordListedRefunds(tx, payment, its.shown));
    },
    async clearUp(id, decision) {
      await ledger.tx(
        async (tx) => (await clearUpRefund(tx, actor, { id, decision, note: null })).jobs,
      );
    },
    async dispute(state) {
      const stated = {
        providerDisputeId: `dispute-of-${providerPaymentId}`,
        providerPaymentId,
        amountKobo: null,
      };
      await ledger.tx((tx) =>
        recordDispute(tx, attempt.connection_id, {
          ...stated,
          state,
          status: state,
          raw: `"${state}"`,
        }),
      );
    },
    async decide(decision) {
      const [open] = await ledger.rows(
        `select id from reviews where charge_id = $1 and status = 'open'`,
        chargeId,
      );
      await ledger.tx(
        async (tx) =>
          (await acceptOrReturnReview(tx, actor, { id: open.id, decision, note: null })).jobs,
      );
    },
    async work(id) {
      const [row] = await ledger.rows(
        'select tries, status, due_at from refunds where id = $1',
        id,
      );
      ledger.clock.advance(Math.max(0, row.due_at.getTime() - ledger.clock().getTime()));
      await runJob(context, (row.status === 'approved' ? executeRefund : checkRefund) as never, {
        id,
        tries: row.tries,
      });
    },
    refunds: () =>
      ledger.rows<RefundRow>('select * from refunds where charge_id = $1 order by id', chargeId),
  };
  Object.assign(context.providerOf({} as never), {
    listRefunds: (_payment: PaidPayment) => its.list(),
    findRefund: async ({ refundId }: { refundId: string }) =>
      its.shown.find((refund) => refund.refundId === refundId),
    async refund(order: RefundOrder) {
      its.sent.push(order.amountKobo);
      const refund = await its.answer(order);
      its.shown.push(refund);
      return refund;
    },
  });
  return its;
}

function contextOf(ledger: Ledger, provider: Provider): Context {
  const log = winston.createLogger({ silent: true });
  const inTx = async (work: (tx: Tx) => ReturnType<Parameters<Ledger['tx']>[0]>) =>
    void (await ledger.tx(work));
  const { db, clock } = ledger;
  return {
    db,
    clock,
    log,
    inTx,
    timeouts,
    dispatcher: { enqueue() {} },
    providerOf: () => provider,
  } as unknown as Context;
}
