import { setTimeout as pause } from 'node:timers/promises';
import { controlSandbox } from '../bench/sandbox.ts';
import type { Dice } from '../local/demo-history/random.ts';
import { ask, type Market, untilAnnounced } from './market.ts';
import type { Merchant } from './merchants.ts';

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
