import { transactionView } from '../../domain/payments/charge/row.ts';
import { sampleCharge } from '../../domain/payments/charge/sample.ts';
import { newId } from '../../domain/shared/ids.ts';

const cart = { cart_items: 3, channel: 'web', delivery: 'Surulere, Lagos' };

export function order(number: number) {
  const digits = String(number).padStart(7, '0');
  return {
    amount_kobo: 150_000 + (number % 5_000) * 100,
    email: `adaeze.okafor+${digits}@example.com`,
    name: 'Adaeze Okafor',
    phone: `0803${digits}`,
    reference: `ORDER-2026-${digits}`,
    description: `Order ${digits}: two ankara dresses and one pair of sandals, delivery to Surulere`,
    metadata: { ...cart, order_id: `ord_${digits}` },
  };
}

const TENANT = 'ten_01jq8v5k3mf6yt2wz9d4c7b1ha';

/** The charge of a web shop's order, as `charge.succeeded` shows it. */
export function chargeView(number: number, now: Date) {
  const { reference, description: _description, ...ordered } = order(number);
  return transactionView({
    ...sampleCharge({ tenant_id: TENANT, mode: 'test' }, now),
    ...{ number, ...ordered, merchant_reference: reference, fee_kobo: 2_250 },
    provider_reference: `4099${reference.slice(-7)}`,
  });
}

export function eventBody(number: number, now: Date) {
  const id = newId('evt', now);
  const data = chargeView(number, now);
  const event = {
    ...{ id, type: 'charge.succeeded', created_at: now.toISOString() },
    ...{ mode: 'test', tenant_id: TENANT, data },
  };
  return { id, subjectId: data.id, body: JSON.stringify(event) };
}
