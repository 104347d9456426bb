import type { Form, View } from '../../api/dashboard/request.ts';
import { newCharge, putCharge } from './charges.ts';
import { addDelivery, addEndpoint } from './deliveries.ts';
import { addDiscrepancy } from './discrepancies.ts';
import { addDispute } from './disputes.ts';
import { memberOf } from './members.ts';
import { addReview } from './reviews.ts';
import { addSettlement } from './settlements.ts';
import type { Stack } from './stack.ts';

export function filledPath(path: string, ids: Record<string, string>): string {
  return path.replace(/^\/([^/]*)(.*)$/, (_, section: string, rest: string) => {
    const named = rest.replace(/:(\w+)/g, (_match, name: string) => {
      const keys = [`${section}${rest} ${name}`, `${section} ${name}`, name];
      const key = keys.find((one) => one in ids);
      if (!key) throw new Error(`No id for ${name} in /${section}${rest}.`);
      return ids[key]!;
    });
    return `/${section}${named}`;
  });
}

/** Payers are mailed in live mode only. */
export const isLiveOnly = ({ path }: Pick<Form, 'path'>) => path.endsWith('/mail');

/** Where a form's button is. */
export function shownAt({ path: view }: View, form: string, ids: Record<string, string>): string {
  // Not every charge can be refunded, or cancelled.
  return view.startsWith('/transactions/')
    ? filledPath(form, ids).replace(/\/\w+$/, '')
    : filledPath(view, ids);
}

interface Texts {
  charge?: object;
  reason?: string;
  description?: string;
  evidence?: object;
}

export async function rowsOfEachKind(
  stack: Stack,
  { charge: more, reason = 'No fit.', description = 'Tickets', evidence = {} }: Texts = {},
): Promise<Record<string, string>> {
  const { tenant, api, context } = stack;
  const one = async (sql: string) => {
    const [row] = await context.db.query<{ id: string }>(sql, [tenant.tenant_id]);
    return row!.id;
  };
  const wanted = { amount_kobo: 50_000, email: 'ada@payer.example', ...more };
  const charge = await newCharge(stack, wanted);
  await putCharge(stack, charge, 'succeeded');
  const refundable = await newCharge(stack, wanted);
  await putCharge(stack, refundable, 'succeeded');
  const refund = await api.post('/refunds', { reference: charge.reference, reason });
  const customer = { email: wanted.email };
  const link = await api.post('/payment-links', { amount_kobo: 50_000, description, customer });
  const sha256 = 'a'.repeat(64);
  const row = charge.id.replace('ct_', 'txn_');
  const place = { table: 'evidence', row, tenant: tenant.tenant_id, mode: 'test' } as const;
  const payload = context.vault.seal(JSON.stringify(evidence), place);
  await stack.sql`insert into evidence (charge_id, sha256, payload, created_at)
    values (${row}, ${sha256}, ${payload}, ${context.clock()})`;
  const delivery = await addDelivery(stack);
  const key = await one(`select id from api_keys where tenant_id = $1 and mode = 'test' limit 1`);
  const { memberId, familyId } = await memberOf(stack, tenant, 'viewer');
  await context.requestLog.flush();
  return {
    'transactions reference': charge.reference,
    'transactions/:reference/refund reference': refundable.reference,
    'transactions/:reference/cancel reference': (await newCharge(stack, wanted)).reference,
    sha256,
    delivery,
    'refunds id': refund.json.id,
    'payment-links id': link.json.id,
    'settlements id': await addSettlement(stack),
    'discrepancies id': await addDiscrepancy(stack),
    'reviews id': await addReview(stack),
    'customers id': charge.id.replace('ct_', 'cus_'),
    'disputes id': await addDispute(stack),
    'developers id': await addEndpoint(stack),
    'developers/deliveries/:id id': delivery,
    'developers/deliveries/:id/resend id': delivery,
    'developers/keys/:id id': key,
    'developers/keys/:id/revoke id': key,
    'developers/keys/:id/rotate id': key,
    'developers/requests/:id id': await one(
      `select id from request_log where tenant_id = $1 and mode = 'test' limit 1`,
    ),
    'providers id': await one(
      `select id from connections where tenant_id = $1 and mode = 'test' limit 1`,
    ),
    'members id': memberId,
    session: familyId,
    'account id': (await memberOf(stack, tenant, 'viewer')).familyId,
  };
}
