import { recordAudit } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { findCaptures } from '../capture/store.ts';
import { lockChargeByNumber } from '../charge/store.ts';
import { findLastDispute } from '../dispute/find.ts';
import type { DisputedPayment, DisputeRow } from '../dispute/row.ts';
import type { DisputeStatus } from '../dispute/transitions.ts';
import { moveDispute } from '../facts/record-dispute.ts';

/** Some providers report disputes by e-mail alone. */
export interface EnteredDispute {
  chargeNumber: number;
  state: DisputeStatus;
  amountKobo: number | null;
  note: string | null;
  /** The operator, for the audit log. */
  actor: string;
}

/**
 * Opens a dispute of the charge's own payment, or decides the open one; `lost` needs no open one.
 * Throws `not_found`, and `invalid_state` where the state does not fit what is on record.
 */
export async function enterDispute(tx: Tx, entered: EnteredDispute): Promise<DisputeRow> {
  const { chargeNumber, state, amountKobo, note, actor } = entered;
  const payment = await lockOwnPayment(tx, chargeNumber);
  if (amountKobo !== null && amountKobo > payment.amountKobo) {
    throw new Problem(
      'invalid_state',
      `No more than what was paid can be disputed: ${formatNaira(payment.amountKobo)}.`,
    );
  }
  const known = await findOpenDispute(tx, payment, state);
  const report = { state, providerDisputeId: null, amountKobo };
  const dispute = await moveDispute(tx, payment, known, report, {
    note: note ?? 'Entered by hand.',
  });
  const action = state === 'open' ? 'dispute.opened' : `dispute.${state}`;
  const { tenant_id: tenantId, mode } = payment.charge;
  const detail = [`SV-${chargeNumber}`, ...(note === null ? [] : [note])].join(': ');
  await recordAudit(tx, {
    tenantId,
    mode,
    actor,
    action,
    subjectId: dispute.id,
    detail,
  });
  return dispute;
}

async function lockOwnPayment(tx: Tx, chargeNumber: number): Promise<DisputedPayment> {
  const charge = await lockChargeByNumber(tx, chargeNumber);
  if (!charge) throw new Problem('not_found', `There is no charge SV-${chargeNumber}.`);
  const capture = (await findCaptures(tx, charge.id)).find(({ id }) => id === charge.capture_id);
  if (!capture)
    throw new Problem(
      'invalid_state',
      `SV-${chargeNumber} was not paid, so there is nothing to dispute.`,
    );
  const { id: captureId, connectionId, amountKobo, currency } = capture;
  return { charge, captureId, connectionId, amountKobo, currency, isApplied: true };
}

/** Throws where the entered state does not fit what is on record. */
async function findOpenDispute(
  { sql }: Tx,
  { captureId, charge }: DisputedPayment,
  state: DisputeStatus,
): Promise<DisputeRow | undefined> {
  const last = await findLastDispute(sql, captureId);
  const isOpen = last?.status === 'open';
  if (state === 'open' && isOpen)
    throw new Problem('invalid_state', `The payment is disputed already, by ${last.id}.`);
  if (state === 'won' && !isOpen)
    throw new Problem(
      'invalid_state',
      last ? decided(last) : 'No dispute is open that could be won.',
    );
  if (state === 'lost' && last && !isOpen) throw new Problem('invalid_state', decided(last));
  if (state !== 'won' && !isOpen && charge.status === 'refunded') {
    throw new Problem('invalid_state', 'The charge was refunded in full already.');
  }
  return isOpen ? last : undefined;
}

function decided({ id, status }: DisputeRow): string {
  return `The dispute ${id} was ${status} already. Open another one first, if there is one.`;
}
