import type { Moved } from '../../journal/moved.ts';
import { type Movement, post } from '../../journal/post.ts';
import { CURRENCY } from '../../shared/money.ts';
import { type Tx, txAt } from '../../shared/tx.ts';
import type { RefundRow } from '../refund/row.ts';

type Return = Pick<
  RefundRow,
  | 'id'
  | 'tenant_id'
  | 'mode'
  | 'status'
  | 'origin'
  | 'amount_kobo'
  | 'completed_at'
  | 'created_at'
  | 'paid_from'
> & {
  type: 'refund' | 'dispute';
  connection_id: string;
  own_kobo: number;
  owed_kobo: number;
};

/**
 * Posts what went back of a payment, in refunds and lost disputes, in the order in which these
 * ended. It comes out of what the charge asked for, unless this service sent it; then out of what
 * is owed to the payer, and what is more, out of what was collected. The charge must be locked.
 */
export async function postReturns(tx: Tx, captureId: string): Promise<void> {
  await postAll(tx, await findReturns(tx, captureId));
}

/** Posts each as it was posted when it was completed. The charge must be locked. */
export async function postPastReturns(tx: Tx, captureId: string): Promise<void> {
  const returns = await findReturns(tx, captureId);
  const gone = returns.filter(({ status }) => status === 'completed');
  for (const [n, { completed_at: completedAt, created_at: createdAt }] of gone.entries()) {
    const heardAt = completedAt! > createdAt ? completedAt! : createdAt;
    await postAll(txAt(tx, heardAt), gone.slice(0, n + 1));
  }
}

function findReturns({ sql }: Tx, captureId: string): Promise<Return[]> {
  return sql.query<Return>(
    `select r.*, c.tenant_id, c.mode, k.connection_id,
       case k.status when 'applied' then least(k.amount_kobo, c.amount_kobo) else 0 end as own_kobo,
       case k.status when 'applied' then greatest(k.amount_kobo - c.amount_kobo, 0)
         else k.amount_kobo + k.payer_fee_kobo end - k.kept_kobo as owed_kobo
     from captures k join charges c on c.id = k.charge_id cross join lateral (
       select id, 'refund' as type, status, origin, amount_kobo, completed_at, created_at, paid_from
       from refunds where capture_id = k.id
       union all
       select id, 'dispute', 'completed', 'provider', amount_kobo, decided_at, opened_at, 'provider'
       from disputes where capture_id = k.id and status = 'lost') r
     where k.id = $1 and k.currency = '${CURRENCY}' order by r.completed_at, r.id`,
    [captureId],
  );
}

async function postAll(tx: Tx, returns: readonly Return[]): Promise<void> {
  const [first] = returns;
  if (!first) return;
  const { tenant_id: tenantId, mode, connection_id: connectionId } = first;
  const left = { ownKobo: first.own_kobo, owedKobo: first.owed_kobo };
  const movements: Movement[] = [];
  for (const one of returns) {
    const { id: source, type, completed_at: completedAt } = one;
    const isGone = one.status === 'completed';
    const moved = isGone ? takeFrom(left, one) : {};
    const occurredAt = (isGone && completedAt) || tx.now;
    movements.push({ source, type, moved, occurredAt });
  }
  await post(tx, { tenantId, mode, connectionId }, movements);
}

function takeFrom(
  left: { ownKobo: number; owedKobo: number },
  { type, amount_kobo: kobo, origin, paid_from: paidFrom }: Return,
): Moved {
  const own = origin === 'system' ? 0 : Math.min(kobo, left.ownKobo);
  const payers = Math.min(kobo - own, left.owedKobo);
  left.ownKobo -= own;
  left.owedKobo -= payers;
  const lostTo = type === 'refund' ? 'refunds' : 'disputes_lost';
  const from = paidFrom === 'bank' ? 'bank' : 'at_provider';
  return { [lostTo]: kobo - payers, payers, [from]: -kobo };
}
