import winston from 'winston';
import type { Context } from '../../../config/context.ts';
import { createFactRecorder } from '../../../config/database/fact-recorder.ts';
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
import type { ProviderCapture } from '../../../domain/providers/port/payment.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import {
  ProviderError,
  type ProviderErrorKind,
} from '../../../domain/providers/port/provider-error.ts';
import type { ProviderRefund, RefundOrder } from '../../../domain/providers/port/refund.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import { runJob } from '../../../workers/run-job.ts';
import type { Ledger } from '../ledger.ts';
import { openCharge, paid, recordNotice } from '../notices.ts';

export type RefundFixture = Awaited<ReturnType<typeof openRefundFixture>>;

export function listedRefund(
  fields: Partial<ProviderRefund> & { providerRefundId: string },
): ProviderRefund {
  return {
    ...{ refundId: null, amountKobo: 500_000, state: 'completed', message: null },
    ...{ completedAt: null, raw: '{}', status: fields.state ?? 'completed', ...fields },
  };
}

/** Always answers with an error, which it throws. */
export const throwing =
  (kind: ProviderErrorKind, message = 'HTTP 503', retryAfterMs: number | null = null) =>
  async (): Promise<never> => {
    throw new ProviderError(kind, 'refunds', message, { retryAfterMs });
  };

export const noAnswer = throwing('unknown', 'no answer');

/** A charge of ₦5,000, with real rules and workers, at a provider whose refunds are a list. */
export async function openRefundFixture(ledger: Ledger, { refundsOnce = false } = {}) {
  const { id: chargeId, attempt } = await openCharge(ledger);
  const { number, tenant_id: tenantId } = await ledger.charge(chargeId);
  const actor: Actor = { tenantId, mode: 'test', subjectId: 'key_test', memberId: null };
  const providerPaymentId = `pay-${attempt.reference}`;
  const provider = {
    capabilities: { idempotentRefunds: refundsOnce },
    listRefunds: () => fixture.list(),
    findRefund: async ({ refundId }: { refundId: string }) =>
      (await fixture.list()).find((refund) => refund.refundId === refundId),
    async refund(order: RefundOrder) {
      fixture.sent.push(order.amountKobo);
      const refund = await fixture.answer(order);
      fixture.listed.push(refund);
      return refund;
    },
  } as unknown as Provider;
  const context = contextOf(ledger, () => provider);
  const fixture = {
    chargeId,
    /** The refunds the provider lists. Tests add what was made at the provider or is listed late. */
    listed: [] as ProviderRefund[],
    list: async (): Promise<ProviderRefund[]> => fixture.listed,
    /** What was sent, in kobo. */
    sent: [] as number[],
    /** How the provider answers a refund; by default it completes it at once. */
    answer: answerWith('completed'),
    /** Records that the payment has this amount, in all, by now; `stated` is what else it states. */
    async pay(amountKobo: number, stated: Partial<ProviderCapture> = {}): Promise<void> {
      await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo, ...stated }));
    },
    requestRefund: (amountKobo?: number, { isApproved = true } = {}) =>
      ledger.inTx(async (tx) => {
        const wanted = { chargeNumber: number, amountKobo, reason: 'Wrong size' };
        const { id } = await requestRefund(tx, actor, wanted);
        if (isApproved) await approveRefund(tx, actor, id);
        return id;
      }),
    async recordListed(paymentId = providerPaymentId): Promise<void> {
      const payment = { connectionId: attempt.connection_id, providerPaymentId: paymentId };
      await ledger.tx((tx) => recordListedRefunds(tx, payment, fixture.listed));
    },
    clearUp: (id: string, decision: ClearUp, by = tenantId) =>
      ledger.tx((tx) =>
        clearUpRefund(tx, { ...actor, tenantId: by }, { id, decision, note: null }),
      ),
    dispute: (state: DisputeStatus) =>
      ledger.tx((tx) =>
        recordDispute(tx, attempt.connection_id, {
          ...{ providerDisputeId: `dispute-of-${providerPaymentId}`, providerPaymentId },
          ...{ amountKobo: null, state, status: state, raw: `"${state}"` },
        }),
      ),
    async decideReview(decision: 'accepted' | 'returned', reason?: ReviewReason): Promise<void> {
      const [open] = await ledger.rows(
        `select id from reviews where charge_id = $1 and status = 'open'
           and reason = coalesce($2, reason)`,
        ...[chargeId, reason ?? null],
      );
      const decided = { id: open.id, decision, note: null };
      await ledger.tx((tx) => acceptOrReturnReview(tx, actor, decided));
    },
    /** Waits until the refund is due, and runs its job as often as it is said. */
    async runJob(id: string, times = 1): Promise<void> {
      for (let time = 0; time < times; time++) {
        const [row] = await ledger.rows('select status, due_at from refunds where id = $1', id);
        const dueMs = row.due_at?.getTime() ?? 0;
        ledger.clock.advance(Math.max(0, dueMs - ledger.clock().getTime()));
        const handler = row.status === 'approved' ? executeRefund : checkRefund;
        await runJob(context, handler as never, { id });
      }
    },
    async sendAll(): Promise<void> {
      for (const { id, status } of await fixture.refunds())
        if (status === 'approved') await fixture.runJob(id);
    },
    async listMore(refunds: Parameters<typeof listedRefund>[0][], paymentId?: string) {
      fixture.listed.push(...refunds.map(listedRefund));
      await fixture.recordListed(paymentId);
    },
    refunds: () =>
      ledger.rows<RefundRow>('select * from refunds where charge_id = $1 order by id', chargeId),
    /** The first one. */
    refund: async () => (await fixture.refunds())[0]!,
    statuses: async () => (await fixture.refunds()).map(({ status }) => status),
    charge: () => ledger.charge(chargeId),
    openReviews: async () =>
      (await ledger.reviews(chargeId)).filter(({ status }) => status === 'open'),
  };
  return fixture;
}

type Answer = (order: RefundOrder) => ProviderRefund | Promise<ProviderRefund>;

export const answerWith =
  (state: ProviderRefund['state']): Answer =>
  ({ refundId, amountKobo }) =>
    listedRefund({ providerRefundId: `of-${refundId}`, refundId, amountKobo, state });

/** What jobs need of a context, with the records of a ledger and providers in memory. */
export function contextOf(
  { db, clock, inTx }: Pick<Ledger, 'db' | 'clock' | 'inTx'>,
  providerOf: (connection: { id: string }) => Provider,
): Context {
  return {
    ...{ db, clock, inTx, timeouts, providerOf, recordFact: createFactRecorder(inTx) },
    ...{ metrics: createMetrics(), tracing: noTracing, dispatcher: { enqueue() {} } },
    log: winston.createLogger({ silent: true }),
  } as unknown as Context;
}
