import type { Job } from '../jobs.ts';
import { noteAnswer } from '../notification/questions.ts';
import type { Atomically, Phase } from '../phase.ts';
import {
  type Provider,
  type ProviderCapture,
  ProviderError,
  type ProviderRefund,
  type Verification,
} from '../providers/provider.ts';
import { recordListedRefunds } from '../refund/adopt.ts';
import { recordAttempt } from './record.ts';

/** An attempt, as far as it takes to ask about it. */
export interface AskedAttempt {
  id: string;
  reference: string;
  connection_id: string;
}

interface Asking {
  atomically: Atomically;
  provider: Provider;
  clock: () => Date;
}

/**
 * Asks an attempt's provider what became of it and records the answer, with what went back of its payments where the provider speaks of
 * that or `withRefunds` asks for it. Returns the answer, or what went wrong when there was none, or half of one: silence changes nothing.
 */
export async function askAttempt(
  { atomically, provider, clock }: Asking,
  attempt: AskedAttempt,
  timeoutMs: number,
  { withRefunds = false }: { withRefunds?: boolean } = {},
): Promise<Verification | ProviderError> {
  const askedAt = clock();
  const answer = await ask(provider, attempt, timeoutMs, withRefunds).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
  if (answer instanceof ProviderError) return answer;
  const { verification, refunds, sawRefunds } = answer;
  await atomically(async (phase): Promise<Job[]> => {
    const jobs = await recordAttempt(phase, attempt.id, {
      type: 'verified',
      verification,
      askedAt,
    });
    jobs.push(...(await recordRefunds(phase, attempt, refunds)));
    if (sawRefunds) await noteAnswer(phase.sql, attempt.id, 'refund', askedAt);
    return jobs;
  });
  return verification;
}

type Refunded = { capture: ProviderCapture; listed: ProviderRefund[] }[];

/** Both questions are answered, or nothing is written: a payment seen without what went back of it is not asked about again. */
async function ask(
  provider: Provider,
  { reference }: AskedAttempt,
  timeoutMs: number,
  withRefunds: boolean,
): Promise<{ verification: Verification; refunds: Refunded; sawRefunds: boolean }> {
  const verification = await provider.verify(reference, { timeoutMs });
  const refunds: Refunded = [];
  const sawRefunds = withRefunds || verification.hasRefunds;
  if (!sawRefunds) return { verification, refunds, sawRefunds };
  for (const capture of verification.captures) {
    const { providerPaymentId, createdAt, capturedAt } = capture;
    const payment = {
      providerPaymentId,
      reference,
      capturedAt: createdAt ?? capturedAt ?? new Date(0),
    };
    refunds.push({ capture, listed: await provider.listRefunds(payment, { timeoutMs }) });
  }
  return { verification, refunds, sawRefunds };
}

async function recordRefunds(
  phase: Phase,
  { connection_id: connectionId }: AskedAttempt,
  refunds: Refunded,
): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const { capture, listed } of refunds) {
    jobs.push(
      ...(await recordListedRefunds(
        phase,
        { connectionId, providerPaymentId: capture.providerPaymentId },
        listed,
      )),
    );
  }
  return jobs;
}
