import express, { type Express } from 'express';
import {
  blankCharge,
  type ChargeRow,
  checkoutView,
  transactionView,
} from '../../domain/payments/charge/row.ts';
import { newId, referenceOf } from '../../domain/shared/ids.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { webhookHeaders } from '../../domain/webhooks/signature.ts';
import type { FloorAccount, FloorCalls, FloorMerchant } from './life-floor-calls.ts';
import type { FloorRows } from './life-floor-rows.ts';
import { wires } from './life-floor-wire.ts';
import type { order } from './order.ts';

const PUBLIC_URL = 'http://127.0.0.1:4000';

export interface Floor {
  rows: FloorRows;
  calls: FloorCalls;
}

/**
 * The floor of a charge's life: one insert, one update, and three calls that are made once and
 * waited for. It validates nothing, knows its merchants by heart, and forgets what it was doing
 * when it stops. `POST /guarantees` says how many guarantees it keeps from then on.
 */
export function floorApp(floor: Floor, merchants: readonly FloorMerchant[]): Express {
  const byKey = new Map(merchants.map((merchant) => [`Bearer ${merchant.key}`, merchant]));
  const byAccount = new Map(
    merchants.flatMap((merchant) =>
      Object.values(merchant.accounts).map((account) => [account.id, { merchant, account }]),
    ),
  );
  const app = express();
  app.get('/', (_request, response) => void response.json({}));
  app.post('/guarantees', express.json(), ({ body }, response) => {
    floor.rows.keep(body.count);
    response.json({});
  });
  app.post('/v1/charges', express.json(), async (request, response) => {
    const merchant = byKey.get(request.headers.authorization ?? '');
    if (!merchant) return void response.status(401).json({});
    const key = request.headers['idempotency-key'] as string;
    response.status(201).json(await createCharge(floor, merchant, request.body, key));
  });
  app.post('/notifications/:account', express.raw({ type: '*/*' }), async (request, response) => {
    const { merchant, account } = byAccount.get(request.params.account!)!;
    const { isGenuine } = wires[account.adapter]!;
    if (!isGenuine(request.headers, request.body, account.credentials))
      return void response.status(401).json({});
    await takeNotification(floor, merchant, account, request.body.toString());
    response.end();
  });
  return app;
}

type Ordered = ReturnType<typeof order> & { provider: Slot };

/** Answers what the service answers, but with the provider's own link. */
async function createCharge(
  { rows, calls }: Floor,
  { tenantId, accounts }: FloorMerchant,
  body: Ordered,
  key: string,
): Promise<object> {
  const { provider, reference: merchantReference, ...ordered } = body;
  const now = new Date();
  const account = accounts[provider];
  const charge = {
    ...{ ...ordered, id: newId('txn', now), tenant_id: tenantId, mode: 'test' as const },
    ...{ status: 'initiated', merchant_reference: merchantReference, currency: 'NGN' },
    ...{ provider_wanted: provider, slot: provider, connection_id: account.id },
    ...{ occurred_at: now, created_at: now, expires_at: new Date(now.getTime() + DAY_MS) },
  };
  const known = { charge, key, body, now };
  const reference = referenceOf(await rows.create(charge, known));
  await rows.note('creating', known);
  const link = await calls.createPayment(account, { ...body, reference }, PUBLIC_URL);
  const state = { reference, status: 'open' as const, provider, transaction: null };
  const checkout = checkoutView({ ...blankCharge, ...charge }, state, PUBLIC_URL);
  const answer = { ...checkout, checkout_url: link };
  await rows.note('opened', { ...known, answer });
  return answer;
}

async function takeNotification(
  { rows, calls }: Floor,
  { webhook }: FloorMerchant,
  account: FloorAccount,
  notification: string,
): Promise<void> {
  const arrivedAt = new Date();
  const notified = { id: newId('ntf', arrivedAt), notification, now: arrivedAt };
  await rows.note('notified', notified);
  await rows.note('verifying', notified);
  const { verified, payment } = await calls.verify(account, notification);
  if (!payment.isPaid) return;
  const now = new Date();
  const paid = await rows.pay(payment, account, now, (charge) => ({
    ...{ charge, verified, notificationId: notified.id, event: eventOf(charge, now) },
    ...{ deliveryId: newId('dlv', now), now },
  }));
  if (!paid) return;
  await rows.note('delivering', paid);
  const timestamp = Math.floor(now.getTime() / 1_000);
  const { id: eventId, body } = paid.event;
  const startedMs = performance.now();
  const headers = webhookHeaders({ eventId, body, timestamp }, [webhook.secret]);
  await calls.post(webhook.url, headers, body);
  await rows.note('delivered', { ...paid, tookMs: performance.now() - startedMs });
}

function eventOf(charge: ChargeRow, now: Date) {
  const id = newId('evt', now);
  const event = {
    ...{ id, type: 'charge.succeeded', created_at: now.toISOString() },
    ...{ mode: charge.mode, tenant_id: charge.tenant_id, data: transactionView(charge) },
  };
  return { id, body: JSON.stringify(event) };
}
