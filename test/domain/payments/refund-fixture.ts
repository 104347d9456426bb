import winston from 'winston';
import type { Context } from '../../../config/context.ts';
import { createMetrics } from '../../../config/observability/metrics.ts';
import { noTracing } from '../../../config/observability/tracing.ts';
import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import { timeouts } from '../../../domain/jobs.ts';
import { acceptOrReturnReview } from '../../../domain/payments/commands/accept-or-return-review.ts';
import { approveRefund } from '../../../domain/payments/commands/approve-or-reject-refund.ts';
import { type ClearUp, clearUpRefund } from '../../../domain/payments/commands/clear-up-refund.ts';
import { requestRefund } from '../../../domain/payments/commands/request-refund.ts';
import type { DisputeStatus } from '../../../domain/payments/dispute/transitions.ts';
import type { ReviewReason } from '../../../domain/payments/entities/review-reasons.ts';
import { recordDispute } from '../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../domain/payments/facts/record-listed-refunds.ts';
import type { RefundRow } from '../../../domain/payments/refund/row.ts';
import type { PaidPayment, ProviderCapture } from '../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import type { ProviderRefund, RefundOrder } from '../../../domain/providers/port/refund.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import { runJob } from '../../../workers/run-job.ts';
import type { Ledger } from '../ledger.ts';
import { openCharge, paid, recordNotice } from '../notices.ts';

/** A charge of ₦5,000, with real rules and workers, at a provider whose refunds are a list. */
export interface RefundFixture {
  chargeId: string;
  /** The refunds the provider lists. Tests add what was made at the provider or is listed late. */
  listed: ProviderRefund[];
  list: () => Promise<ProviderRefund[]>;
  sent: number[];
  /** How the provider answers a refund; by default it completes it at once. */
  answer: (order: RefundOrder) => ProviderRefund | Promise<ProviderRefund>;
  /** Records that the payment has this amount, in all, by now; `stated` is what else it states. */
  pay(amountKobo: number, stated?: Partial<ProviderCapture>): Promise<void>;
  requestRefund(amountKobo?: number): Promise<string>;
  recordListed(paymentId?: string): Promise<void>;
  clearUp(refundId: string, decision: ClearUp): Promise<void>;
  dispute(state: DisputeStatus): Promise<void>;
  decideReview(decision: 'accepted' | 'returned', reason?: ReviewReason): Promise<void>;
  runJob(refundId: string): Promise<void>;
  sendAll(): Promise<void>;
  listMore(refunds: Parameters<typeof listedRefund>[0][], paymentId?: string): Promise<void>;
  refunds(): Promise<RefundRow[]>;
}

export function listedRefund(
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

export async function openRefundFixture(
  ledger: Ledger,
  { refundsOnce = false } = {},
): Promise<RefundFixture> {
  const { id: chargeId, attempt } = await openCharge(ledger);
  const { number, tenant_id: tenantId } = await ledger.charge(chargeId);
  const actor: Actor = { tenantId, mode: 'test', subjectId: 'key_test', memberId: null };
  const providerPaymentId = `pay-${attempt.reference}`;
  const context = contextOf(ledger, {
    capabilities: { idempotentRefunds: refundsOnce },
  } as Provider);
  const fixture: RefundFixture = {
    ...{ chargeId, listed: [], sent: [] },
    list: async () => fixture.listed,
    answer: ({ refundId, amountKobo }) =>
      listedRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo }),
    pay: async (amountKobo, stated = {}) =>
      void (await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo, ...stated }))),
    async requestRefund(amountKobo) {
      const wanted = { chargeNumber: number, amountKobo, reason: 'Wrong size' };
      return ledger.inTx(async (tx) => {
        const { id } = await requestRefund(tx, actor, wanted);
        await approveRefund(tx, actor, id);
        return id;
      });
    },
    async recordListed(paymentId = providerPaymentId) {
      const payment = { connectionId: attempt.connection_id, providerPaymentId: paymentId };
      await ledger.tx((tx) => recordListedRefunds(tx, payment, fixture.listed));
    },
    async clearUp(id, decision) {
      await ledger.tx((tx) => clearUpRefund(tx, actor, { id, decision, note: null }));
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
    async decideReview(decision, reason) {
      const [open] = await ledger.rows(
        `select id from reviews where charge_id = $1 and status = 'open'
           and reason = coalesce($2, reason)`,
        chargeId,
        reason ?? null,
      );
      await ledger.tx((tx) =>
        acceptOrReturnReview(tx, actor, { id: open.id, decision, note: null }),
      );
    },
    async runJob(id) {
      const [row] = await ledger.rows('select status, due_at from refunds where id = $1', id);
      ledger.clock.advance(Math.max(0, row.due_at.getTime() - ledger.clock().getTime()));
      await runJob(context, (row.status === 'approved' ? executeRefund : checkRefund) as never, {
        id,
      });
    },
    async sendAll() {
      for (const { id, status } of await fixture.refunds())
        if (status === 'approved') await fixture.runJob(id);
    },
    async listMore(refunds, paymentId) {
      fixture.listed.push(...refunds.map(listedRefund));
      await fixture.recordListed(paymentId);
    },
    refunds: () =>
      ledger.rows<RefundRow>('select * from refunds where charge_id = $1 order by id', chargeId),
  };
  Object.assign(context.providerOf({} as never, 'send'), {
    listRefunds: (_payment: PaidPayment) => fixture.list(),
    findRefund: async ({ refundId }: { refundId: string }) =>
      (await fixture.list()).find((refund) => refund.refundId === refundId),
    async refund(order: RefundOrder) {
      fixture.sent.push(order.amountKobo);
      const refund = await fixture.answer(order);
      fixture.listed.push(refund);
      return refund;
    },
  });
  return fixture;
}

function contextOf(ledger: Ledger, provider: Provider): Context {
  const log = winston.createLogger({ silent: true });
  const { db, clock, inTx } = ledger;
  return {
    db,
    clock,
    log,
    inTx,
    timeouts,
    dispatcher: { enqueue() {} },
    metrics: createMetrics(),
    tracing: noTracing,
    providerOf: () => provider,
  } as unknown as Context;
}
