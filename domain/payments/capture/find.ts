import type { PaidPayment } from '../../providers/port/payment.ts';
import type { Sql } from '../../shared/sql.ts';
import type { CaptureRow } from './capture.ts';

export async function paymentsOfAttempt(
  sql: Sql,
  { id, reference }: { id: string; reference: string },
): Promise<PaidPayment[]> {
  const rows = await sql.query<Pick<CaptureRow, 'provider_payment_id' | 'captured_at'>>(
    `select provider_payment_id, captured_at from captures
     where charge_id = (select charge_id from attempts where id = $1) and attempt_id = $1`,
    [id],
  );
  return rows.map((row) => ({
    providerPaymentId: row.provider_payment_id,
    reference,
    capturedAt: row.captured_at,
  }));
}
