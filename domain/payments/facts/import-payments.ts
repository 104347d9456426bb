import type { PastPayment, ProviderCapture } from '../../providers/port/payment.ts';
import type { PastRefund } from '../../providers/port/refund.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { isOurReference } from '../attempt/reference.ts';
import { type ImportingConnection, insertImported } from '../charge/insert-imported.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import type { AskedAttempt } from './ask-about-attempt.ts';
import { recordAttempt } from './record-attempt.ts';
import { recordListedRefunds } from './record-listed-refunds.ts';

/** Of the domain that exists nowhere. */
const UNKNOWN_PAYER = 'unknown@payer.invalid';

/**
 * Records paid payments that were not made through this service, each as a paid charge of the time
 * when it was begun. Leaves out what is on record, also where its account was connected before,
 * references of ours, and other currencies. Repeatable. Returns how many it recorded.
 */
export async function importPayments(
  tx: Tx,
  connection: ImportingConnection,
  past: readonly PastPayment[],
): Promise<number> {
  const byReference = new Map(past.flatMap((payment) => importable(payment)));
  const charges = [...byReference].map(([reference, { payment, capture }]) => ({
    ...{ reference, amountKobo: capture.amountKobo, createdAt: timeOf(capture) ?? tx.now },
    providerPaymentId: capture.providerPaymentId,
    email: payment.email ?? UNKNOWN_PAYER,
    name: payment.name,
    phone: payment.phone,
  }));
  const attempts = await insertImported(tx, connection, charges);
  const { tenant_id, mode } = connection;
  for (const { id, charge_id, reference } of attempts) {
    await appendTimeline(tx, { id: charge_id, tenant_id, mode }, [IMPORTED]);
    const { verification } = byReference.get(reference)!.payment;
    await recordAttempt(tx, id, { type: 'verified', verification, askedAt: tx.now });
  }
  return attempts.length;
}

const IMPORTED = {
  what: 'charge.imported',
  detail: 'It was paid before its account was connected here, and imported.',
};

type Importable = [reference: string, { payment: PastPayment; capture: ProviderCapture }];

function importable(payment: PastPayment): Importable[] {
  const [capture] = payment.verification.captures;
  if (!capture || capture.currency !== CURRENCY || capture.amountKobo <= 0) return [];
  const { reference } = capture;
  return isOurReference(reference) ? [] : [[reference, { payment, capture }]];
}

const timeOf = ({ createdAt, capturedAt }: ProviderCapture) => createdAt ?? capturedAt;

/**
 * Imported payments of which the provider took something back, with none of it on record: what went
 * back, and why, it says of each by itself.
 */
export async function importedWithReturns(
  { sql }: Pick<Tx, 'sql'>,
  { id: connectionId }: ImportingConnection,
  past: readonly PastPayment[],
): Promise<AskedAttempt[]> {
  const returned = past.filter(({ verification }) => verification.hasRefunds);
  return sql.query<AskedAttempt>(
    `select a.id, a.reference, a.connection_id from attempts a join charges c on c.id = a.charge_id
     where a.connection_id = $1 and a.reference = any($2) and c.created_by = 'import'
       and not exists (select from refunds where charge_id = c.id)
       and not exists (select from disputes where charge_id = c.id)`,
    [connectionId, returned.flatMap(({ verification: { captures } }) => captures[0]!.reference)],
  );
}

/**
 * Of imported payments. Those on record, and those of other payments of the service, it follows and
 * tells of by itself. Repeatable.
 */
export async function importRefunds(
  tx: Tx,
  { id: connectionId }: ImportingConnection,
  past: readonly PastRefund[],
): Promise<void> {
  const unrecorded = await tx.sql.query<{ position: number }>(
    `select position::int from unnest($2::text[], $3::text[], $4::text[])
       with ordinality as past (payment_id, provider_refund_id, refund_id, position)
     join captures k on k.connection_id = $1 and k.provider_payment_id = past.payment_id
     join charges c on c.id = k.charge_id and c.created_by = 'import'
     where not exists (select from refunds r where r.charge_id = c.id
       and (r.provider_refund_id = past.provider_refund_id or r.id = past.refund_id))
     order by position`,
    [
      connectionId,
      past.map(({ providerPaymentId }) => providerPaymentId),
      past.map(({ refund }) => refund.providerRefundId),
      past.map(({ refund }) => refund.refundId),
    ],
  );
  for (const { position } of unrecorded) {
    const { providerPaymentId, refund } = past[position - 1]!;
    await recordListedRefunds(tx, { connectionId, providerPaymentId }, [refund]);
  }
}
