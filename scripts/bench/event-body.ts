import { transactionView } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';

/** The charge of a web shop's order, as `charge.succeeded` shows it. */
export function chargeView(number: number, now: Date) {
  const digits = String(number).padStart(7, '0');
  const id = newId('txn', now);
  const order = {
    order_id: `ord_${digits}`,
    cart_items: 3,
    channel: 'web',
    delivery: 'Surulere, Lagos',
  };
  const amounts = {
    amount_kobo: 150_000 + (number % 5_000) * 100,
    fee_kobo: 2_250,
    refunded_kobo: 0,
    currency: 'NGN',
  };
  const payer = {
    email: `adaeze.okafor+${digits}@example.com`,
    name: 'Adaeze Okafor',
    phone: `0803${digits}`,
  };
  const none = {
    failure_message: null,
    failure_cause: null,
    settled_at: null,
    settlement_id: null,
    failed_at: null,
    payment_link_id: null,
  };
  return transactionView({
    ...{
      id,
      tenant_id: TENANT,
      mode: 'test',
      number,
      status: 'succeeded',
      merchant_reference: `ORDER-2026-${digits}`,
    },
    ...{
      ...amounts,
      ...payer,
      ...none,
      description: `Order ${digits}`,
      return_url: null,
      metadata: order,
      provider_wanted: 'auto',
    },
    ...{
      slot: 'provider_a',
      connection_id: CONNECTION,
      capture_id: null,
      created_by: 'secret',
      channel: 'card',
      provider_reference: `4099${digits}`,
    },
    ...{
      occurred_at: now,
      recovered: false,
      review: [],
      created_at: now,
      expires_at: now,
      cancel_requested_at: null,
    },
  });
}

const TENANT = 'ten_01jq8v5k3mf6yt2wz9d4c7b1ha';
const CONNECTION = 'con_01jq8v5k3mf6yt2wz9d4c7b1hb';

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
