import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import { recall } from '../../domain/accounts/idempotency/remembered.ts';
import { permissions } from '../../domain/accounts/roles.ts';
import { REFERENCE_PLACEHOLDER, SLOT_PLACEHOLDER } from '../../domain/payments/charge/create.ts';
import { blankCharge, checkoutView, type NewCharge } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import { CURRENCY } from '../../domain/shared/money.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import { invalid } from '../../domain/shared/problems.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { replayed } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import { needsSandbox } from '../http/test-scenario.ts';
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
  takesTestScenario: true,
  handle: create,
});

/** One round trip, credential check included, shared by requests that come meanwhile. */
async function create(call: ApiRequest<CreateChargeBody>) {
  const { context, origin = null, idempotency, route } = call;
  const { sha256, kind, mode } = call.credential!;
  const now = context.clock();
  const charge = chargeOf(call, now);
  const claim = idempotency && { scope: scopeOf({ kind, sha256 }, route), ...idempotency };
  const asker = { sha256, roles: permissions[PERMISSION], origin, idempotency: claim };
  const template = answerTemplate(charge, context.env.publicUrl);
  const created = await context.createCharge({ asker, charge, answerTemplate: template, now });
  if (created.answer !== null)
    return { status: 201, body: created.answer, tenantId: created.tenantId!, created: charge.id };
  if (created.tenantId === null) {
    await call.caller(); // throws why the credential is refused
    throw badCredential(); // it was not valid when the statement ran
  }
  const { tenantId } = created;
  const remembered =
    claim &&
    (await recall(
      { sql: context.db, vault: context.vault, now: context.clock() },
      { tenantId, mode, ...claim },
    ));
  if (remembered) return { ...replayed(remembered), tenantId };
  if (created.outOfBounds) throw invalid(created.outOfBounds);
  if (!created.isConnected)
    throw call.testScenario ? needsSandbox() : noProvider(charge.provider_wanted, mode);
  return create(call); // the key was taken when the statement ran, and has expired since
}

function chargeOf(
  { context, body, credential, origin, testScenario }: ApiRequest<CreateChargeBody>,
  now: Date,
): NewCharge {
  const { reference = null, phone = null, provider = 'auto', metadata = {}, ...columns } = body;
  return {
    ...blankCharge,
    ...(columns satisfies Partial<Pick<NewCharge, keyof typeof columns>>),
    id: newId('txn', now),
    mode: credential!.mode,
    currency: CURRENCY,
    merchant_reference: reference,
    phone: phone === null ? null : normalisePhone(phone),
    metadata,
    opener_origin: credential!.kind === 'public' ? webOriginOf(origin) : null,
    provider_wanted: provider,
    expires_at: new Date(now.getTime() + context.env.chargeLifetimeMs),
    test_scenario: testScenario ?? null,
  };
}

/** Null where a browser named no origin that is https. */
function webOriginOf(origin: string | undefined): string | null {
  return origin !== undefined && origin.length <= 300 && originOf(origin) === origin
    ? origin
    : null;
}

/** The statement fills in the placeholders: no JSON string holds their quotes. */
function answerTemplate(charge: NewCharge, publicUrl: string): string {
  const state = {
    reference: REFERENCE_PLACEHOLDER,
    status: 'open' as const,
    provider: SLOT_PLACEHOLDER as Slot,
    transaction: null,
  };
  return JSON.stringify(checkoutView(charge, state, publicUrl))
    .replace('"reference":"\\u0001"', `"reference":"${REFERENCE_PLACEHOLDER}"`)
    .replace('"provider":"\\u0002"', `"provider":"${SLOT_PLACEHOLDER}"`);
}
