import type { AskTimes } from '../../jobs.ts';
import type { ProviderDispute } from '../../providers/port/dispute.ts';
import type { ProviderCapture, Verification } from '../../providers/port/payment.ts';
import type { Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { ProviderRefund } from '../../providers/port/refund.ts';
import { timeLeft } from '../../shared/time-left.ts';
import type { InTx, Tx } from '../../shared/tx.ts';
import type { AttemptRow } from '../attempt/row.ts';
import { recordAnswer } from '../notification/verifications.ts';
import { listRefundsOf } from '../refund-listing/find-refunds.ts';
import { recordAttempt } from './record-attempt.ts';
import { recordDispute } from './record-dispute.ts';
import { recordListedRefunds } from './record-listed-refunds.ts';
import { recordReversal } from './record-reversal.ts';
import type { RecordFact } from './record-together.ts';

export type AskedAttempt = Pick<AttemptRow, 'id' | 'reference' | 'connection_id'>;

export interface AskContext {
  inTx: InTx;
  recordFact: RecordFact;
  provider: Provider;
  clock: () => Date;
}

/**
 * Verifies an attempt and records the answer with its payments' refunds (where mentioned, or
 * `withRefunds`) and, where one was taken back, its disputes. On an error nothing is written.
 * `alsoWrite` is committed with it.
 */
export async function askAboutAttempt(
  context: AskContext,
  attempt: AskedAttempt,
  times: AskTimes,
  { withRefunds = false, alsoWrite }: AskOptions = {},
): Promise<Verification | ProviderError> {
  const { inTx, recordFact, clock } = context;
  const askedAt = clock();
  const answer = await ask(context, attempt, times, withRefunds).catch(onlyProviderError);
  if (answer instanceof ProviderError) return answer;
  const { verification, refunds, sawRefunds } = answer;
  const fact = { type: 'verified', verification, askedAt } as const;
  if (!sawRefunds) await recordFact({ attemptId: attempt.id, fact, alsoWrite });
  else
    await inTx(async (tx) => {
      await recordAttempt(tx, attempt.id, fact);
      for (const each of refunds) await recordReturns(tx, attempt, each, verification);
      await recordAnswer(tx.sql, attempt.id, 'refund', askedAt);
      await alsoWrite?.(tx);
    });
  return verification;
}

interface AskOptions {
  withRefunds?: boolean;
  alsoWrite?: ((tx: Tx) => Promise<void>) | undefined;
}

interface Returned {
  capture: ProviderCapture;
  listed: ProviderRefund[];
  disputes: ProviderDispute[];
}

/**
 * Fails unless both were answered: a payment recorded without its refunds is not asked about again.
 */
async function ask(
  context: AskContext,
  { reference, connection_id: connectionId }: AskedAttempt,
  { callMs: timeoutMs, verificationMs, totalMs }: AskTimes,
  withRefunds: boolean,
): Promise<{ verification: Verification; refunds: Returned[]; sawRefunds: boolean }> {
  const leftMs = timeLeft(context.clock, totalMs);
  const options = { timeoutMs, totalMs: verificationMs };
  const verification = await context.provider.verify(reference, options);
  const refunds: Returned[] = [];
  const sawRefunds = withRefunds || verification.hasRefunds;
  if (!sawRefunds) return { verification, refunds, sawRefunds };
  for (const capture of verification.captures) {
    const { providerPaymentId, createdAt, capturedAt } = capture;
    const payment = {
      providerPaymentId,
      reference,
      capturedAt: createdAt ?? capturedAt ?? new Date(0),
    };
    const asking = { ...context, connectionId, timeoutMs, totalMs: leftMs() };
    const listed = await listRefundsOf(asking, payment);
    const disputes = capture.isReversed
      ? await context.provider.listDisputes({ payment }, { timeoutMs, totalMs: leftMs() })
      : [];
    refunds.push({ capture, listed, disputes });
  }
  return { verification, refunds, sawRefunds };
}

/** In this order: a reversal is what neither refunds nor lost disputes explain. */
async function recordReturns(
  tx: Tx,
  { connection_id: connectionId }: AskedAttempt,
  { capture, listed, disputes }: Returned,
  { raw }: Verification,
): Promise<void> {
  const { providerPaymentId, isReversed } = capture;
  const payment = { connectionId, providerPaymentId };
  await recordListedRefunds(tx, payment, listed);
  for (const dispute of disputes) await recordDispute(tx, connectionId, dispute);
  if (isReversed) await recordReversal(tx, payment, raw);
}
