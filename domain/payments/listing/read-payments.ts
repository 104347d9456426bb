import type { Job } from '../../jobs.ts';
import { type Provider, type ProviderCapture, ProviderError } from '../../providers/provider.ts';
import type { InTx, Tx } from '../../shared/tx.ts';
import { checkAttemptsNow } from '../attempt/check-attempts-now.ts';
import { knownAttemptStatuses } from '../attempt/transitions.ts';
import { chooseToAsk, endRound, type ListingProgress, type Round } from './round.ts';

export interface ListingContext {
  inTx: InTx;
  clock: () => Date;
  provider: Provider;
  connectionId: string;
  timeoutMs: number;
  /** False once it is time to stop. */
  hasTime: () => boolean;
}

/** How far a round got. */
export interface ListingResult {
  progress: ListingProgress;
  error: ProviderError | null;
}

/**
 * Reads the payments that a provider lists, and has every attempt checked now whose payment is not
 * on record. So payments for which no notification arrived are found at one call per page, however
 * many charges wait. The list itself is no evidence: only the attempt's own verification is.
 */
export async function readPayments(
  context: ListingContext,
  begun: ListingProgress & { round: Round },
): Promise<ListingResult> {
  const { inTx, clock, provider, timeoutMs } = context;
  let progress: ListingProgress = begun;
  for (const round = { ...begun.round }; context.hasTime(); ) {
    const query = {
      from: new Date(round.from),
      to: new Date(round.to),
      cursor: round.cursor,
      paidOnly: true,
    };
    const page = await provider.listPayments(query, { timeoutMs }).catch((error: unknown) => {
      if (error instanceof ProviderError) return error;
      throw error;
    });
    if (page instanceof ProviderError)
      return { progress: { ...progress, failures: progress.failures + 1 }, error: page };
    await inTx(async (tx) => {
      const found = await checkUnrecorded(tx, context.connectionId, page.rows, progress, clock());
      progress = found.progress;
      return found.jobs;
    });
    Object.assign(round, { cursor: page.next, pages: round.pages + 1 });
    if (page.next === null) return { progress: endRound({ ...progress, round }), error: null };
    progress = { ...progress, round };
  }
  return { progress, error: null };
}

async function checkUnrecorded(
  tx: Tx,
  connectionId: string,
  payments: readonly ProviderCapture[],
  progress: ListingProgress,
  now: Date,
): Promise<{ progress: ListingProgress; jobs: Job[] }> {
  const unrecorded = await findUnrecorded(tx, connectionId, payments);
  const ids = unrecorded.map(({ payment_id: id }) => id);
  const { chosen, progress: asked } = chooseToAsk(progress, ids, now);
  const wanted = unrecorded.filter(({ payment_id: id }) => chosen.has(id));
  if (wanted.length === 0) return { progress: asked, jobs: [] };
  const jobs = await checkAttemptsNow(tx, {
    connectionId,
    references: wanted.map(({ reference }) => reference),
    chargeIds: wanted.map(({ charge_id: chargeId }) => chargeId),
  });
  return { progress: asked, jobs };
}

interface UnrecordedPayment {
  payment_id: string;
  reference: string;
  charge_id: string;
}

/** Listed payments of our attempts that are not on record. */
async function findUnrecorded(
  { sql }: Tx,
  connectionId: string,
  payments: readonly ProviderCapture[],
): Promise<UnrecordedPayment[]> {
  if (payments.length === 0) return [];
  return sql.query<UnrecordedPayment>(
    `select distinct on (listed.payment_id) listed.payment_id, a.reference, a.charge_id
     from unnest($2::text[], $3::text[]) as listed (payment_id, reference)
     join attempts a on a.reference = listed.reference and a.connection_id = $1
       and a.status = any($4)
     where not exists (
       select from captures k where k.connection_id = $1 and k.provider_payment_id = payment_id)`,
    [
      connectionId,
      payments.map(({ providerPaymentId }) => providerPaymentId),
      payments.map(({ reference }) => reference),
      knownAttemptStatuses,
    ],
  );
}
