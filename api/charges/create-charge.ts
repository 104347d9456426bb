import { recall } from '../../domain/accounts/idempotency/remembered.ts';
import { permissions } from '../../domain/accounts/roles.ts';
import {
  type NewCharge,
  REFERENCE_HOLE,
  SLOT_HOLE,
  createCharge as writeCharge,
} from '../../domain/payments/charge/create.ts';
import { checkoutView } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, newId } from '../../domain/shared/ids.ts';
import { CURRENCY } from '../../domain/shared/money.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { replayed } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import { badCredential, scopeOf } from '../middleware/authenticate.ts';
import { noProvider } from './no-provider.ts';
import { type CreateChargeBody, checkout, createChargeBody } from './schemas.ts';

const PERMISSION = 'create charges';

export const createCharge = route({
  method: 'post',
  path: '/charges',
  operationId: 'createCharge',
  summary: 'Create a charge and its hosted checkout',
  credential: PERMISSION,
  body: createChargeBody,
  answers: { 201: checkout },
  refusals: ['no_provider'],
  idempotent: true,
  handle: create,
});

/** Writes the charge in one round trip, credential check included. A worker calls the provider. */
async function create(call: ApiRequest<CreateChargeBody>) {
  const { context, origin = null, idempotency, route } = call;
  const { sha256, kind, mode } = call.credential!;
  const now = context.clock();
  const charge = chargeOf(call, mode, now);
  const claim = idempotency && { scope: scopeOf({ kind, sha256 }, route), ...idempotency };
  const asker = { sha256, roles: permissions[PERMISSION], origin, idempotency: claim };
  const created = await writeCharge(
    context.db,
    asker,
    charge,
    answerTemplate(charge, context.env.publicUrl),
    now,
  );
  if (created.answer !== null)
    return { status: 201, body: created.answer, tenantId: created.tenantId!, jobs: [created.job!] };
  if (created.tenantId === null) {
    await call.caller(); // throws why the credential is refused
    throw badCredential(); // it was not valid when the statement ran
  }
  const { tenantId } = created;
  const remembered =
    claim &&
    (await recall({ sql: context.db, vault: context.vault }, { tenantId, mode, ...claim }));
  if (remembered) return { ...replayed(remembered), tenantId };
  if (!created.isConnected) throw noProvider(charge.provider, mode);
  return create(call); // the key was taken when the statement ran, and has expired since
}

function chargeOf(
  { context, body }: ApiRequest<CreateChargeBody>,
  mode: Mode,
  now: Date,
): NewCharge {
  return {
    id: newId('txn', now),
    mode,
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

/**
 * The answer with holes that the statement fills in. The quotes around each hole cannot stand
 * inside a JSON string unescaped.
 */
function answerTemplate(charge: NewCharge, publicUrl: string): string {
  const checkout = checkoutView(
    {
      ...charge,
      id: checkoutIdOf(charge.id),
      reference: REFERENCE_HOLE,
      provider: SLOT_HOLE as Slot,
      status: 'open',
      transaction: null,
    },
    publicUrl,
  );
  return JSON.stringify(checkout)
    .replace('"reference":"\\u0001"', `"reference":"${REFERENCE_HOLE}"`)
    .replace('"provider":"\\u0002"', `"provider":"${SLOT_HOLE}"`);
}
