import type { Context } from '../../config/context.ts';
import { permissions } from '../../domain/accounts/roles.ts';
import { findByNumber, findForCredential } from '../../domain/payments/charge/find.ts';
import { type ChargeRow, checkoutOf } from '../../domain/payments/charge/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { type ApiRequest, route } from '../http/route.ts';
import type { Caller } from '../middleware/authenticate.ts';
import { askProviders } from './ask-providers.ts';
import { checkout } from './schemas.ts';

export const getCharge = route({
  method: 'get',
  path: '/charges/:reference',
  operationId: 'getCharge',
  summary: 'Read a charge by its service reference; the provider is asked while it is not final',
  credential: 'read',
  answers: { 200: checkout },
  async handle(call) {
    const charge = await ownCharge(call);
    const fresh = (await askProviders(call.context, charge, 'merchant'))
      ? await ownCharge(call)
      : charge;
    return {
      status: 200,
      body: checkoutOf(fresh, call.context.env.publicUrl),
      tenantId: fresh.tenant_id,
    };
  },
});

/** Found and permitted in one round trip. A refusal costs a second, which finds its reason. */
async function ownCharge({ context, credential, caller, params }: ApiRequest): Promise<ChargeRow> {
  const number = numberOf(params.reference!);
  const reading = { sha256: credential!.sha256, roles: permissions.read, now: context.clock() };
  const charge =
    number === undefined ? undefined : await findForCredential(context.db, reading, number);
  return charge ?? chargeOf(context, await caller(), params.reference!);
}

/** The caller's own charge with this reference. Throws `not_found`. */
export async function chargeOf({ db }: Context, caller: Caller, reference: string) {
  const number = numberOf(reference);
  const charge = number === undefined ? undefined : await findByNumber(db, caller, number);
  if (charge) return charge;
  const why =
    number === undefined
      ? 'A charge is read by its service reference, like SV-100001.'
      : 'A live reference read with a test key is not found.';
  throw new Problem('not_found', `There is no such charge in this mode. ${why}`);
}
