import type { Job } from '../../domain/jobs.ts';
import type { AttemptFact } from '../../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../../domain/payments/attempt/row.ts';
import { recordAttempt } from '../../domain/payments/facts/record-attempt.ts';
import type { ProviderCapture, Verification } from '../../domain/providers/port/payment.ts';
import type { Ledger } from './ledger.ts';

export function verification(
  state: Verification['state'],
  fields: Partial<Verification> = {},
): AttemptFact {
  return {
    type: 'verified',
    askedAt: new Date(0), // `recordNotice` says when
    verification: {
      ...{ state, status: state, captures: [], hasRefunds: false, unknownWords: [] },
      ...{ failureMessage: null, raw: `{"status":"${state}"}`, ...fields },
    },
  };
}

export function paid(
  { reference, created_at: createdAt }: Pick<AttemptRow, 'reference' | 'created_at'>,
  overrides: Partial<ProviderCapture> = {},
): AttemptFact {
  const capture: ProviderCapture = {
    ...{ providerPaymentId: `pay-${reference}`, reference, amountKobo: 500_000, feeKobo: 17_500 },
    ...{ currency: 'NGN', channel: 'card', mode: 'test', createdAt, capturedAt: createdAt },
    ...overrides,
  };
  const raw = JSON.stringify(capture);
  return verification('paid', { status: 'success', captures: [capture], raw });
}

export const accepted: AttemptFact = {
  type: 'accepted',
  url: 'https://pay.example/1',
  linkExpiresInMs: null,
};
export const refused: AttemptFact = {
  type: 'refused',
  message: 'Integration has been deactivated',
};
export const linkLost: AttemptFact = { type: 'link lost', message: 'The link did not reach us.' };
export const declined = verification('declined', { failureMessage: 'Insufficient funds' });
export const absent = verification('absent');
export const unpaid = verification('unpaid');

export async function send(ledger: Ledger, attemptId: string): Promise<void> {
  await ledger.rows(
    `update attempts set sent_at = coalesce(sent_at, $2), tries = tries + 1,
       status = case status when 'queued' then 'sending' else status end where id = $1`,
    attemptId,
    ledger.clock(),
  );
}

export function recordNotice(
  ledger: Ledger,
  attemptId: string,
  notice: AttemptFact,
): Promise<Job[]> {
  const now = ledger.clock();
  const dated = notice.type === 'verified' ? { ...notice, askedAt: now } : notice;
  return ledger.tx((tx) => recordAttempt(tx, attemptId, dated));
}

export async function openCharge(ledger: Ledger, options?: Parameters<Ledger['newCharge']>[0]) {
  const { id, attemptId } = await ledger.newCharge(options);
  await send(ledger, attemptId);
  await recordNotice(ledger, attemptId, accepted);
  const [attempt] = await ledger.attempts(id);
  return { id, attempt: attempt! };
}

/** A charge whose first link was lost, and the attempt that replaces it. */
export async function chargeWithLostLink(ledger: Ledger) {
  const { id, attemptId } = await ledger.newCharge();
  await send(ledger, attemptId);
  const jobs = await recordNotice(ledger, attemptId, linkLost);
  const [lost, replacement] = await ledger.attempts(id);
  return { id, jobs, lost: lost!, replacement: replacement! };
}
