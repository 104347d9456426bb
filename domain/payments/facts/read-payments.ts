import type { AskTimes } from '../../jobs.ts';
import type { ListedPayment } from '../../providers/port/payment.ts';
import type { Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { Sql } from '../../shared/sql.ts';
import type { InTx } from '../../shared/tx.ts';
import { checkAttemptsNow } from '../attempt/check-attempts-now.ts';
import { knownAttemptStatuses } from '../attempt/transitions.ts';
import { chooseToAsk, endRound, type ListingProgress, type Round } from '../listing/round.ts';
import { askAboutAttempt } from './ask-about-attempt.ts';
import type { RecordFact } from './record-together.ts';

export interface ListingContext {
  inTx: InTx;
  recordFact: RecordFact;
  clock: () => Date;
  provider: Provider;
  verifier: Provider;
  connectionId: string;
  db: Sql;
  timeoutMs: number;
  askTimes: AskTimes;
  hasTime: () => boolean;
}

export interface ListingResult {
  progress: ListingProgress;
  error: ProviderError | null;
}

/**
 * Verifies every listed attempt whose payment is not on record: at one call per page, however many
 * charges wait. The list itself is no evidence.
 */
export async function readPayments(
  context: ListingContext,
  begun: ListingProgress & { round: Round },
): Promise<ListingResult> {
  const { provider, timeoutMs } = context;
  let progress: ListingProgress = begun;
  for (const round = { ...begun.round }; context.hasTime(); ) {
    const query = {
      from: new Date(round.from),
      to: new Date(round.to),
      cursor: round.cursor,
      paidOnly: true,
    };
    const page = await provider.listPayments(query, { timeoutMs }).catch(onlyProviderError);
    if (page instanceof ProviderError)
      return { progress: { ...progress, failures: progress.failures + 1 }, error: page };
    progress = await verifyUnrecorded(context, page.rows, progress);
    Object.assign(round, { cursor: page.next, pages: round.pages + 1 });
    if (page.next === null) return { progress: endRound({ ...progress, round }), error: null };
    progress = { ...progress, round };
  }
  return { progress, error: null };
}

const AT_ONCE = 5;

async function verifyUnrecorded(
  context: ListingContext,
  payments: readonly ListedPayment[],
  progress: ListingProgress,
): Promise<ListingProgress> {
  const unrecorded = await findUnrecorded(context, payments);
  const ids = unrecorded.map(({ payment_id: id }) => id);
  const { chosen, progress: asked } = chooseToAsk(progress, ids, context.clock());
  const wanted = unrecorded.filter(({ payment_id: id }) => chosen.has(id));
  for (let at = 0; at < wanted.length; at += AT_ONCE)
    await Promise.all(wanted.slice(at, at + AT_ONCE).map((payment) => verify(context, payment)));
  return asked;
}

/** Without an answer the attempt's own check, which is due now, asks. */
async function verify(context: ListingContext, payment: UnrecordedPayment): Promise<void> {
  const { connectionId, hasTime, inTx } = context;
  const attempt = { ...payment, connection_id: connectionId };
  const answer = hasTime()
    ? await askAboutAttempt({ ...context, provider: context.verifier }, attempt, context.askTimes)
    : undefined;
  if (answer && !(answer instanceof ProviderError)) return;
  const { reference, charge_id: chargeId } = payment;
  await inTx((tx) =>
    checkAttemptsNow(tx, { connectionId, references: [reference], chargeIds: [chargeId] }),
  );
}

interface UnrecordedPayment {
  id: string;
  payment_id: string;
  reference: string;
  charge_id: string;
}

/** A row without an id is its reference's. */
async function findUnrecorded(
  { db, connectionId }: ListingContext,
  payments: readonly ListedPayment[],
): Promise<UnrecordedPayment[]> {
  if (payments.length === 0) return [];
  return db.query<UnrecordedPayment>(
    `select distinct on (coalesce(listed.id, a.reference)) a.id,
       coalesce(listed.id, a.reference) as payment_id, a.reference, a.charge_id
     from unnest($2::text[], $3::text[]) as listed (id, reference)
     join attempts a on a.reference = listed.reference and a.connection_id = $1
       and a.status = any($4)
     where not exists (
       select from captures k where k.connection_id = $1 and k.provider_payment_id = listed.id)
     and (listed.id is not null or (
       select 1 from captures k where k.charge_id = a.charge_id and k.attempt_id = a.id
       limit 1) is null)`,
    [
      connectionId,
      payments.map(({ providerPaymentId }) => providerPaymentId),
      payments.map(({ reference }) => reference),
      knownAttemptStatuses,
    ],
  );
}
