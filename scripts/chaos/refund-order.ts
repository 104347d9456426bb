import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../local/demo-history/random.ts';
import type { Market } from './market.ts';
import { callApi } from './merchant-api.ts';
import type { Merchant } from './merchants.ts';
import { untilAnnounced } from './taken-back.ts';

/** Once the charge is paid, the merchant asks for a refund, and its Owner approves it. */
export async function refundOrder(
  market: Market,
  merchant: Merchant,
  reference: string,
  dice: Dice,
): Promise<void> {
  const { stack, refunds, refusals, ended } = market;
  const isPartial = dice.between(1, 2) === 1;
  const outcome = dice.oneOf(['completed', 'completed', 'completed', 'failed'] as const);
  if (!(await untilAnnounced(market, reference))) return;
  await pause(dice.between(100, 2_000));
  await plan(stack.sandboxUrl, reference, outcome);
  const { apiUrl } = stack;
  const request = await callApi<{ id: string }>(
    apiUrl,
    {
      ...{ method: 'POST', path: '/refunds', key: merchant.key, idempotencyKey: reference },
      body: { reference, reason: 'Wrong size', ...(isPartial && { amount_kobo: 20_000 }) },
    },
    ended,
  );
  if (!request) return;
  // A payment that was just disputed or sent back has nothing left to refund.
  if (request.status === 409 || request.status === 422) return;
  if (request.status !== 202) {
    refusals.push(`POST /refunds: ${request.status} ${JSON.stringify(request.json)}`);
    return;
  }
  const refund = { tenantId: merchant.tenantId, id: request.json.id, isApproved: false };
  refunds.push(refund);
  const key = await ownerToken(market, merchant);
  if (key === undefined) return;
  const path = `/refunds/${refund.id}/approve`;
  const approval = await callApi<object>(apiUrl, { method: 'POST', path, key }, ended);
  // Decided already: an earlier request arrived, and its answer did not.
  refund.isApproved = approval?.status === 200 || approval?.status === 409;
  if (approval && !refund.isApproved)
    refusals.push(`POST ${path}: ${approval.status} ${JSON.stringify(approval.json)}`);
}

/** The provider's next refund of the payment ends so. */
async function plan(sandboxUrl: string, reference: string, outcome: string): Promise<void> {
  await fetch(`${sandboxUrl}/_control/refund`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
    body: JSON.stringify({ reference, outcome }),
    signal: AbortSignal.timeout(5_000),
  })
    .then((response) => response.text())
    .catch(() => {}); // it completes then
}

/** Tokens are valid for 15 minutes: an Owner signs in again before that. */
const KEPT_MS = 10 * 60_000;
const tokens = new WeakMap<Merchant, { token: Promise<string | undefined>; atMs: number }>();

function ownerToken(
  { stack, refusals, ended }: Market,
  merchant: Merchant,
): Promise<string | undefined> {
  const known = tokens.get(merchant);
  if (known && Date.now() - known.atMs < KEPT_MS) return known.token;
  const call = {
    ...({ method: 'POST', path: '/auth/token' } as const),
    body: { ...merchant.owner, mode: 'test' },
  };
  const token = callApi<{ access_token: string }>(stack.apiUrl, call, ended).then((answer) => {
    if (answer?.status === 200) return answer.json.access_token;
    if (answer) refusals.push(`POST /auth/token: ${answer.status}`);
    return undefined;
  });
  tokens.set(merchant, { token, atMs: Date.now() });
  return token;
}
