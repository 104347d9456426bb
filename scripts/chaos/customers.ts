import { setTimeout as pause } from 'node:timers/promises';
import { order } from '../bench/order.ts';
import { controlSandbox } from '../bench/sandbox.ts';
import { type Dice, diceOf } from '../local/demo-history/random.ts';
import { until } from '../local/until.ts';
import {
  ask,
  type CustomerOrder,
  callApi,
  control,
  type Market,
  PATIENCE,
  untilAnnounced,
} from './market.ts';
import type { Merchant } from './merchants.ts';

/** How likely each kind of customer is, in percent; one of them does all of its steps. */
const kinds = {
  'pays once': 34,
  'is declined first': 10,
  'pays twice': 10,
  'pays too little': 4,
  'pays too much': 4,
  'gets a refund': 18,
  'is reversed unheard': 4,
  'is reversed later': 4,
  disputes: 6,
  'never pays': 6,
} as const;
type Kind = keyof typeof kinds;

const LINK_EVERY = 8;

/** Lets the customer of this number come; everything they do follows from the seed. */
export async function serveCustomer(market: Market, number: number): Promise<void> {
  const dice = diceOf(market.seed * 1_000_003 + number);
  const merchant = dice.oneOf(market.merchants.all);
  const kind = draw(dice);
  const isByLink = dice.between(1, LINK_EVERY) === 1;
  const wanted: CustomerOrder = { tenantId: merchant.tenantId, email: order(number).email };
  market.orders.push(wanted);
  const reference = await (isByLink
    ? openLink(market, merchant, number)
    : askForCharge(market, merchant, number, dice));
  if (reference === undefined) return;
  wanted.reference = reference;
  if (kind === 'never pays') return;
  await pause(dice.between(200, 2_000));
  if (kind === 'is declined first') {
    await act(market, reference, { outcome: 'failed' });
    await pause(dice.between(500, 4_000));
    if (dice.between(1, 2) === 1) await tryAgain(market, merchant, reference, addressOf(number));
  }
  const paid = await act(market, reference, howPaid(kind, number, dice));
  if (!paid) return;
  if (kind === 'pays twice') {
    await pause(dice.between(200, 5_000));
    // At the same page where it takes money twice, and at every page left open.
    await act(market, reference, { again: true });
    await act(market, reference, {});
  }
  if (kind === 'gets a refund') await refundOrder(market, merchant, reference, dice);
  if (kind === 'is reversed unheard') await reversePayment(market, reference, dice);
  if (kind === 'is reversed later' && (await untilAnnounced(market, reference)))
    await reversePayment(market, reference, dice);
  // Monnify tells nobody of disputes.
  if (kind === 'disputes' && (paid.provider === 'paystack' || paid.provider === 'flutterwave')) {
    await pause(dice.between(200, 3_000));
    await disputePayment(market, reference, dice);
  }
}

function draw(dice: Dice): Kind {
  let left = dice.between(1, 100);
  for (const [kind, percent] of Object.entries(kinds)) {
    left -= percent;
    if (left <= 0) return kind as Kind;
  }
  throw new Error('The kinds of customers add up to less than 100.');
}

async function askForCharge(market: Market, { key }: Merchant, number: number, dice: Dice) {
  const provider = dice.oneOf(['auto', 'provider_a', 'provider_b', 'provider_c']);
  const body = { ...order(number), provider };
  const idempotencyKey = `${market.seed}-${number}`;
  const call = { method: 'POST', path: '/charges', key, idempotencyKey, body } as const;
  return (await ask<{ reference: string }>(market, call, 201))?.json.reference;
}

async function openLink(market: Market, { key }: Merchant, number: number) {
  const { stack, ended, seed } = market;
  const { amount_kobo, description, email } = order(number);
  const body = { amount_kobo, description };
  const idempotencyKey = `${seed}-${number}`;
  const made = { method: 'POST', path: '/payment-links', key, idempotencyKey, body } as const;
  const link = await ask<{ url: string }>(market, made, 201);
  if (!link) return undefined;
  const path = `/transactions?customer=${encodeURIComponent(email)}`;
  return until({ ...PATIENCE, ended }, async () => {
    await post(link.json.url, addressOf(number), { email }).catch(() => {});
    const call = { method: 'GET', path, key } as const;
    const found = await callApi<{ data: { reference: string }[] }>(stack.apiUrl, call, ended);
    return found?.status === 200 ? found.json.data[0]?.reference : undefined;
  });
}

/** Each customer has a network of their own: forms are limited by network. */
const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

async function post(url: string, address: string, fields: Record<string, string>): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'X-Forwarded-For': address },
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  await response.text();
}

/** On the checkout's page, as long as it offers that: the decline may not be known yet. */
async function tryAgain(
  { stack, ended }: Market,
  { key }: Merchant,
  reference: string,
  address: string,
) {
  const call = { method: 'GET', path: `/charges/${reference}`, key } as const;
  const found = await callApi<{ checkout_url: string }>(stack.apiUrl, call, ended);
  if (found?.status === 200) await post(found.json.checkout_url, address, {}).catch(() => {});
}

type Action = { outcome?: 'failed'; again?: boolean; amount_kobo?: number; notify?: boolean };

function act(market: Market, reference: string, action: Action) {
  const paid = { outcome: 'success', channel: 'bank_transfer' };
  return control(market, 'pay', { reference, ...paid, ...action });
}

function howPaid(kind: Kind, number: number, dice: Dice): Action {
  const asked = order(number).amount_kobo;
  const difference = dice.between(1, 1_000) * 100;
  if (kind === 'pays too little') return { amount_kobo: asked - difference };
  if (kind === 'pays too much') return { amount_kobo: asked + difference };
  return kind === 'is reversed unheard' ? { notify: false } : {};
}

async function reversePayment(market: Market, reference: string, dice: Dice): Promise<void> {
  await control(market, 'reverse', { reference, notify: dice.between(1, 4) > 1 });
}

async function disputePayment(market: Market, reference: string, dice: Dice): Promise<void> {
  const part = dice.oneOf([{}, { amount_kobo: 20_000 }]);
  const outcome = dice.oneOf(['won', 'lost', undefined] as const);
  await control(market, 'dispute', { reference, ...part });
  if (!outcome) return;
  await pause(dice.between(200, 4_000));
  await control(market, 'dispute', { reference, outcome });
}

/** Once the charge is paid, the merchant asks for a refund, and its Owner approves it. */
export async function refundOrder(
  market: Market,
  merchant: Merchant,
  reference: string,
  dice: Dice,
): Promise<void> {
  const isPartial = dice.between(1, 2) === 1;
  const outcome = dice.oneOf(['completed', 'completed', 'completed', 'failed'] as const);
  if (!(await untilAnnounced(market, reference))) return;
  await pause(dice.between(100, 2_000));
  const planned = controlSandbox(market.stack.sandboxUrl, 'refund', { reference, outcome });
  await planned.catch(() => {}); // it completes then
  const body = { reference, reason: 'Wrong size', ...(isPartial && { amount_kobo: 20_000 }) };
  // A payment that was just disputed or sent back has nothing left to refund: 409, 422.
  const request = await ask<{ id: string }>(
    market,
    { method: 'POST', path: '/refunds', key: merchant.key, idempotencyKey: reference, body },
    ...[202, 409, 422],
  );
  if (request?.status !== 202) return;
  const refund = { tenantId: merchant.tenantId, id: request.json.id, isApproved: false };
  market.refunds.push(refund);
  const key = await ownerToken(market, merchant);
  if (key === undefined) return;
  // Decided already (409): an earlier request arrived, and its answer did not.
  const path = `/refunds/${refund.id}/approve`;
  const approval = await ask(market, { method: 'POST', path, key }, 200, 409);
  refund.isApproved = approval !== undefined;
}

/** Tokens are valid for 15 minutes: an Owner signs in again before that. */
const KEPT_MS = 10 * 60_000;
const tokens = new WeakMap<Merchant, { token: Promise<string | undefined>; atMs: number }>();

function ownerToken(market: Market, merchant: Merchant): Promise<string | undefined> {
  const known = tokens.get(merchant);
  if (known && Date.now() - known.atMs < KEPT_MS) return known.token;
  const body = { ...merchant.owner, mode: 'test' };
  const call = { method: 'POST', path: '/auth/token', body } as const;
  const answer = ask<{ access_token: string }>(market, call, 200);
  const token = answer.then((given) => given?.json.access_token);
  tokens.set(merchant, { token, atMs: Date.now() });
  return token;
}
