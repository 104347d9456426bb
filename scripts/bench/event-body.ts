import { transactionView } from '../../domain/payments/charge/row.ts';
import { sampleCharge } from '../../domain/payments/charge/sample.ts';
import { newId } from '../../domain/shared/ids.ts';

/** The charge of a web shop's order, as `charge.succeeded` shows it. */
export function chargeView(number: number, now: Date) {
  const digits = String(number).padStart(7, '0');
  return transactionView({
    ...sampleCharge({ tenant_id: TENANT, mode: 'test' }, now),
    number,
    merchant_reference: `ORDER-2026-${digits}`,
    amount_kobo: 150_000 + (number % 5_000) * 100,
    fee_kobo: 2_250,
    email: `adaeze.okafor+${digits}@example.com`,
    name: 'Adaeze Okafor',
    phone: `0803${digits}`,
    metadata: {
      order_id: `ord_${digits}`,
      cart_items: 3,
      channel: 'web',
      delivery: 'Surulere, Lagos',
    },
    provider_reference: `4099${digits}`,
  });
}

const TENANT = 'ten_01jq8v5k3mf6yt2wz9d4c7b1ha';

/** The whole body, as `publishEvent` writes it. */
export function eventBody(
  number: number,
  now: Date,
): { id: string; subjectId: string; body: string } {
  const id = newId('evt', now);
  const data = chargeView(number, now);
  const event = {
    id,
    type: 'charge.succeeded',
    created_at: now.toISOString(),
    mode: 'test',
    tenant_id: TENANT,
    data,
  };
  return { id, subjectId: data.id, body: JSON.stringify(event) };
}
