import type { Context } from '../../config/context.ts';
import type { AskTimes } from '../../domain/jobs.ts';
import { type ClaimedAttempt, claimUnasked } from '../../domain/payments/attempt/claim-unasked.ts';
import { isOpen } from '../../domain/payments/charge/ending.ts';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { askAboutAttempt } from '../../domain/payments/facts/ask-about-attempt.ts';
import type { Priority } from '../../domain/providers/port/budget.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';

/** Without an answer by then, the stored state is shown. */
const READ_TIMEOUT_MS = 2_500;
const readTimes: AskTimes = {
  callMs: READ_TIMEOUT_MS,
  verificationMs: READ_TIMEOUT_MS,
  totalMs: READ_TIMEOUT_MS,
};

/** Asks about a charge that waits for a payment; any other is final. */
export async function askProviders(
  context: Context,
  charge: Pick<ChargeRow, 'id' | 'status' | 'retrying'>,
  priority: Priority,
): Promise<boolean> {
  return isOpen(charge) && askAboutAttempts(context, charge, priority);
}

/**
 * Asks about a charge's attempts that may hold money, ended and unconfirmed ones too: each at most
 * once a second across all processes, and once more after a request to cancel. True: a provider
 * answered, so the charge should be read again.
 */
export async function askAboutAttempts(
  context: Context,
  charge: Pick<ChargeRow, 'id'>,
  priority: Priority,
): Promise<boolean> {
  const attempts = await claimUnasked(context.db, charge.id, context.clock());
  const answered = await Promise.all(attempts.map((attempt) => ask(context, attempt, priority)));
  return answered.includes(true);
}

/** A failure is logged and does not fail the read. */
async function ask(context: Context, attempt: ClaimedAttempt, priority: Priority) {
  const about = { attempt: attempt.id, connection: attempt.connection.id };
  try {
    const provider = context.providerOf(attempt.connection, priority);
    const answer = await askAboutAttempt({ ...context, provider }, attempt, readTimes);
    if (!(answer instanceof ProviderError)) return true;
    context.log.info('provider did not answer a read', { ...about, error: answer.message });
  } catch (error) {
    context.log.error('provider call of a read failed', {
      ...about,
      error: (error as Error).stack,
    });
  }
  return false;
}
