import type { Job } from '../../jobs.ts';
import type { ProviderDispute } from '../../providers/provider.ts';
import { formatNaira } from '../../shared/money.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { advanceCharge } from '../charge/advance.ts';
import type { ChargeFact, Evidence } from '../charge/facts.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { type DisputedPayment, type DisputeRow, type Told, writeDispute } from './row.ts';
import { type DisputeStatus, decideDispute } from './transitions.ts';
import { tellSentTwice } from './twice.ts';

/**
 * Records a dispute as its provider says it stands: its own moves, and what they mean for the charge. What is said again, or late, changes
 * nothing; a payment we do not hold belongs to the merchant's other business. Returns the jobs to enqueue after the commit.
 */
export async function recordDispute(
  tx: Tx,
  connectionId: string,
  dispute: ProviderDispute,
): Promise<Job[]> {
  const payment = await lockPayment(tx, connectionId, dispute.providerPaymentId);
  if (!payment) return [];
  const evidence = { sha256: sha256Of(dispute.raw), payload: dispute.raw };
  const { state, status: words } = dispute;
  if (state === 'unknown')
    return advanceCharge(
      tx,
      payment.charge.id,
      { type: 'unclear', words: `dispute status "${words}"` },
      evidence,
    );
  const known = await findKnown(tx, payment, dispute.providerDisputeId);
  return (await moveDispute(tx, payment, known, { told: dispute, state, evidence })).jobs;
}

export interface DisputeNews {
  told: Told;
  state: DisputeStatus;
  evidence?: Evidence;
  /** What an operator wrote about it. */
  note?: string;
}

/** Moves a dispute whose charge is locked, and tells the charge. Returns where it stands, and the jobs to enqueue after the commit. */
export async function moveDispute(
  tx: Tx,
  payment: DisputedPayment,
  known: DisputeRow | undefined,
  { told, state, evidence, note }: DisputeNews,
): Promise<{ dispute: DisputeRow; jobs: Job[] }> {
  const { moves, contradicts } = decideDispute(known?.status, state);
  const dispute = await writeDispute(tx, payment, known, told, moves.at(-1) ?? known!.status);
  const jobs: Job[] = [];
  for (const to of moves) {
    const detail = [sentenceOf(payment, dispute, to), ...(note ? [note] : [])].join(' ');
    const line = {
      what: to === 'open' ? 'dispute.opened' : `dispute.${to}`,
      detail,
      amountKobo: inDispute(payment, dispute),
    };
    await appendTimeline(tx, payment.charge, [line], evidence);
    const fact = await factOf(tx, payment, dispute, { to, detail });
    if (fact) jobs.push(...(await advanceCharge(tx, payment.charge.id, fact, evidence)));
    if (fact?.type === 'dispute lost')
      jobs.push(...(await tellSentTwice(tx, payment.charge.id, payment.captureId)));
  }
  if (contradicts) {
    const detail = `The provider now says that the dispute was ${state}, which was ${dispute.status} before (${dispute.id}). That stays.`;
    jobs.push(
      ...(await advanceCharge(tx, payment.charge.id, aside(payment, dispute, detail), evidence)),
    );
  }
  return { dispute, jobs };
}

/** The charge's lock comes first, as everywhere. */
async function lockPayment(
  { sql }: Tx,
  connectionId: string,
  providerPaymentId: string,
): Promise<DisputedPayment | undefined> {
  const [charge] = await sql.query<ChargeRow>(
    `select * from charges where id = (select charge_id from captures where connection_id = $1 and provider_payment_id = $2) for update`,
    [connectionId, providerPaymentId],
  );
  if (!charge) return undefined;
  const [capture] = await sql.query<{ id: string; status: string; amount_kobo: number }>(
    'select id, status, amount_kobo from captures where connection_id = $1 and provider_payment_id = $2',
    [connectionId, providerPaymentId],
  );
  const { id: captureId, status, amount_kobo: amountKobo } = capture!;
  return { charge, captureId, connectionId, amountKobo, isApplied: status === 'applied' };
}

/** By the provider's id, or the one of the payment that was entered by hand before its provider told of it. */
async function findKnown(
  { sql }: Tx,
  payment: DisputedPayment,
  providerDisputeId: string,
): Promise<DisputeRow | undefined> {
  const [known] = await sql.query<DisputeRow>(
    `select * from disputes
     where connection_id = $1 and (provider_dispute_id = $2 or (provider_dispute_id is null and capture_id = $3))
     order by provider_dispute_id nulls last, id desc limit 1`,
    [payment.connectionId, providerDisputeId, payment.captureId],
  );
  return known;
}

function inDispute(payment: DisputedPayment, { amount_kobo: amountKobo }: DisputeRow): number {
  return amountKobo ?? payment.amountKobo;
}

function sentenceOf(payment: DisputedPayment, dispute: DisputeRow, to: DisputeStatus): string {
  const amount = formatNaira(inDispute(payment, dispute));
  const whose = payment.isApplied ? '' : ' of a payment that is not the charge’s own';
  if (to === 'open') return `The payer’s bank asks ${amount}${whose} back (${dispute.id}).`;
  const outcome = to === 'won' ? 'the merchant keeps it' : 'it went back to the payer';
  return `The dispute about ${amount}${whose} was ${to}: ${outcome} (${dispute.id}).`;
}

/** What a move means for the charge; undefined: nothing, because another dispute of its payment is still open. */
async function factOf(
  tx: Tx,
  payment: DisputedPayment,
  dispute: DisputeRow,
  { to, detail }: { to: DisputeStatus; detail: string },
): Promise<ChargeFact | undefined> {
  // Money that went back already may now go a second time.
  if (!payment.isApplied || payment.charge.status === 'refunded')
    return aside(payment, dispute, detail);
  if (to === 'won' && (await hasOtherOpen(tx, dispute))) return undefined;
  return { type: to === 'open' ? 'dispute opened' : `dispute ${to}` };
}

function aside(payment: DisputedPayment, dispute: DisputeRow, detail: string): ChargeFact {
  return {
    type: 'dispute aside',
    captureId: payment.captureId,
    amountKobo: inDispute(payment, dispute),
    detail,
  };
}

async function hasOtherOpen(
  { sql }: Tx,
  { id, capture_id: captureId }: DisputeRow,
): Promise<boolean> {
  const others = await sql.query(
    `select 1 from disputes where capture_id = $1 and id <> $2 and status = 'open' limit 1`,
    [captureId, id],
  );
  return others.length > 0;
}
