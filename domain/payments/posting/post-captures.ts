import { type Movement, post } from '../../journal/post.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { type RecordedCapture, returnableOf } from '../capture/capture.ts';
import { findPostedCaptures, type PostedCapture } from '../capture/store.ts';
import type { ChargeRow } from '../charge/row.ts';
import { postReturns } from './post-returns.ts';

type PostedCharge = Pick<ChargeRow, 'id' | 'tenant_id' | 'mode' | 'amount_kobo' | 'created_by'>;

/** Posts what changed between what a charge's payments were and what they are. */
export async function postCaptures(
  tx: Tx,
  charge: PostedCharge,
  before: readonly RecordedCapture[],
  after: readonly RecordedCapture[],
): Promise<void> {
  for (const capture of after) {
    const known = before.find(({ id }) => id === capture.id);
    if (known === capture) continue;
    const owner = { tenantId: charge.tenant_id, mode: charge.mode };
    await post(
      tx,
      { ...owner, connectionId: capture.connectionId },
      movementsOf({ askedKobo: charge.amount_kobo, createdBy: charge.created_by }, capture),
      { isNew: known === undefined },
    );
    if (known) await postReturns(tx, capture.id);
  }
}

/** Of payments of one connection whose fee a payout stated. */
export async function postStatedFees(tx: Tx, captureIds: readonly string[]): Promise<void> {
  if (captureIds.length === 0) return;
  const captures = await findPostedCaptures(tx, captureIds);
  const movements = captures.flatMap((capture) => movementsOf(capture, capture));
  const { tenantId, mode, connectionId } = captures[0]!;
  await post(tx, { tenantId, mode, connectionId }, movements);
}

/**
 * What the charge asked for or a person accepted is collected. Any other money is owed to its
 * payer, and the fee of such a payment is the merchant's loss, whoever bore it. The journal has
 * naira alone: money in another currency waits for a person, and can only go back.
 */
function movementsOf(
  { askedKobo, createdBy }: Pick<PostedCapture, 'askedKobo' | 'createdBy'>,
  capture: RecordedCapture,
): Movement[] {
  if (capture.currency !== CURRENCY) return [];
  const { id: source, amountKobo, payerFeeKobo, feeKobo, capturedAt: occurredAt } = capture;
  const isApplied = capture.status === 'applied';
  const paidKobo = returnableOf(capture, isApplied);
  const ownKobo = isApplied ? Math.min(askedKobo, amountKobo) : 0;
  const collectedKobo = ownKobo + capture.keptKobo;
  const owedKobo = paidKobo - collectedKobo;
  const received = { at_provider: paidKobo, collected: -collectedKobo, payers: -owedKobo };
  const type = createdBy === 'import' ? 'imported' : 'capture';
  const movements: Movement[] = [{ source, type, moved: received, occurredAt }];
  if (feeKobo === null) return movements;
  const keptKobo = isApplied ? feeKobo : feeKobo + payerFeeKobo;
  const kept = { fees: keptKobo, at_provider: -keptKobo };
  return [...movements, { source, type: 'fee', moved: kept, occurredAt }];
}
