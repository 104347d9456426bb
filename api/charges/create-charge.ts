import { type NewCharge, REFERENCE_HOLE, SLOT_HOLE, createCharge as writeCharge } from '../../domain/charge/create.ts';
import { checkoutView } from '../../domain/charge/row.ts';
import { type RememberedAnswer, recall } from '../../domain/idempotency/remembered.ts';
import { checkoutIdOf, newId } from '../../domain/ids.ts';
import { CURRENCY } from '../../domain/money.ts';
import { normalisePhone } from '../../domain/phone.ts';
import { Problem } from '../../domain/problems.ts';
import { badCredential } from '../middleware/authenticate.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { type ChargeBody, chargeBody } from './schemas.ts';

const ROUTE = 'POST /charges';

export const createCharge: Route<ChargeBody> = {
  method: 'post',
  path: '/charges',
  summary: 'Create a charge and its hosted checkout',
  body: chargeBody,
  idempotent: true,
  handle: create,
};

/** Writes the charge in one round trip, credential check included; the provider is asked by a worker. */
async function create(request: ApiRequest<ChargeBody>): Promise<Reply> {
  const { context, key, idempotency } = request;
  const now = context.clock();
  const charge = chargeOf(request, now);
  const claim = idempotency && { route: ROUTE, ...idempotency };
  const created = await writeCharge(context.db, key.sha256, charge, answerTemplate(charge, context.env.publicUrl), claim, now);
  if (created.tenantId === null) throw badCredential();
  if (created.answer !== null) return { status: 201, body: created.answer, tenantId: created.tenantId, jobs: [created.job!] };
  const remembered = await replayOf(request, created.tenantId);
  if (remembered) {
    return { status: remembered.status, body: remembered.answer, tenantId: created.tenantId, headers: { 'Idempotent-Replayed': 'true' } };
  }
  if (!created.isConnected) throw new Problem('no_provider', noProvider(charge));
  return create(request); // the key was in the way a moment ago, and its seven days have ended since
}

async function replayOf({ context, key, idempotency }: ApiRequest<ChargeBody>, tenantId: string): Promise<RememberedAnswer | undefined> {
  if (!idempotency) return undefined;
  return recall(context.db, { tenantId, mode: key.mode, scope: `secret ${ROUTE}`, ...idempotency });
}

function chargeOf({ context, key, body }: ApiRequest<ChargeBody>, now: Date): NewCharge {
  return {
    id: newId('txn', now),
    mode: key.mode,
    amountKobo: body.amount_kobo,
    currency: CURRENCY,
    email: body.email,
    name: body.name ?? null,
    phone: body.phone === undefined ? null : normalisePhone(body.phone),
    merchantReference: body.reference ?? null,
    description: body.description ?? null,
    returnUrl: body.return_url ?? null,
    metadata: body.metadata ?? {},
    provider: body.provider ?? 'auto',
    expiresAt: new Date(now.getTime() + context.env.chargeLifetimeMs),
  };
}

/** The answer with holes for what the statement fills in. The quotes around each hole cannot stand inside a JSON string unescaped. */
function answerTemplate(charge: NewCharge, publicUrl: string): string {
  const checkout = checkoutView(
    { ...charge, id: checkoutIdOf(charge.id), reference: REFERENCE_HOLE, provider: SLOT_HOLE, status: 'open', transaction: null },
    publicUrl,
  );
  return JSON.stringify(checkout)
    .replace('"reference":"\\u0001"', `"reference":"${REFERENCE_HOLE}"`)
    .replace('"provider":"\\u0002"', `"provider":"${SLOT_HOLE}"`);
}

function noProvider({ provider, mode }: NewCharge): string {
  const wanted = provider === 'auto' ? 'No payment provider is' : `${provider} is not`;
  return `${wanted} connected in ${mode} mode. Connect one in the dashboard under Settings, Providers.`;
}
