import { recordAudit } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { moveDispute } from './record.ts';
import type { DisputedPayment, DisputeRow } from './row.ts';
import type { DisputeStatus } from './transitions.ts';

/** What an operator was told about a charge's own payment: some providers tell of disputes by e-mail alone. */
export interface EnteredDispute {
  /** The SV number of the charge. */
  chargeNumber: number;
  state: DisputeStatus;
  /** Null: all of the payment. */
  amountKobo: number | null;
  note: string | null;
}

/**
 * Records a dispute by hand: opens one, or decides the open one. `lost` needs no beginning, for the money is gone. Throws `not_found`, and
 * `invalid_state` for what cannot be: nothing paid, disputed already, nothing open to win.
 */
export async function enterDispute(
  tx: Tx,
  entered: EnteredDispute,
): Promise<{ dispute: DisputeRow; jobs: Job[] }> {
  const { chargeNumber, state, amountKobo, note } = entered;
  const payment = await lockOwnPayment(tx, chargeNumber);
  if (amountKobo !== null && amountKobo > payment.amountKobo) {
    throw new Problem(
      'invalid_state',
      `No more than what was paid can be disputed: ${formatNaira(payment.amountKobo)}.`,
    );
  }
  const known = await knownFor(tx, payment, state);
  const told = { providerDisputeId: null, amountKobo };
  const moved = await moveDispute(tx, payment, known, {
    told,
    state,
    note: note ?? 'Entered by hand.',
  });
  const action = state === 'open' ? 'dispute.opened' : `dispute.${state}`;
  const { tenant_id: tenantId, mode } = payment.charge;
  const detail = [`SV-${chargeNumber}`, ...(note === null ? [] : [note])].join(': ');
  await recordAudit(tx, {
    tenantId,
    mode,
    actor: 'operator',
    action,
    subjectId: moved.dispute.id,
    detail,
  });
  return moved;
}

async function lockOwnPayment({ sql }: Tx, chargeNumber: number): Promise<DisputedPayment> {
  const [charge] = await sql.query<ChargeRow & { capture_id: string | null }>(
    'select * from charges where number = $1 for update',
    [chargeNumber],
  );
  if (!charge) throw new Problem('not_found', `There is no charge SV-${chargeNumber}.`);
  const [capture] = await sql.query<{ id: string; connection_id: string; amount_kobo: number }>(
    'select id, connection_id, amount_kobo from captures where id = $1',
    [charge.capture_id],
  );
  if (!capture)
    throw new Problem(
      'invalid_state',
      `SV-${chargeNumber} was not paid, so there is nothing to dispute.`,
    );
  return {
    charge,
    captureId: capture.id,
    connectionId: capture.connection_id,
    amountKobo: capture.amount_kobo,
    isApplied: true,
  };
}

/** The dispute that is meant: the open one, or none where one begins. */
async function knownFor(
  { sql }: Tx,
  { captureId, charge }: DisputedPayment,
  state: DisputeStatus,
): Promise<DisputeRow | undefined> {
  const [last] = await sql.query<DisputeRow>(
    `select * from disputes where capture_id = $1 order by status = 'open' desc, id desc limit 1`,
    [captureId],
  );
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
