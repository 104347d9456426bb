import { newId } from '../../domain/shared/ids.ts';
import { newCharge, putCharge } from './charges.ts';
import { anyConnection } from './connect.ts';
import { addDelivery, addEndpoint } from './deliveries.ts';
import { addDiscrepancy } from './discrepancies.ts';
import { addReview } from './reviews.ts';
import type { Stack } from './stack.ts';

/** The payer and the merchant's reference of the charge. */
export const PAYER = 'adaeze.secret@payer.example';
export const ORDER = 'order-of-ours-4711';

/** A path of a view or form, with the ids of `rowsOfEachKind`. */
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

/** Makes a row of each kind in the tenant's test mode; returns their ids, by what paths name. */
export async function rowsOfEachKind(stack: Stack): Promise<Record<string, string>> {
  const { tenant, api, context } = stack;
  const one = async (sql: string) => {
    const [row] = await context.db.query<{ id: string }>(sql, [tenant.tenant_id]);
    return row!.id;
  };
  const charge = await newCharge(stack, {
    amount_kobo: 50_000,
    email: PAYER,
    reference: ORDER,
  });
  await putCharge(stack, charge, 'succeeded');
  const refund = await api.post('/refunds', { reference: charge.reference, reason: 'No fit.' });
  const link = await api.post('/payment-links', { amount_kobo: 50_000, description: 'Tickets' });
  const sha256 = 'a'.repeat(64);
  const chargeId = charge.id.replace('ct_', 'txn_');
  await context.db.query(
    'insert into evidence (charge_id, sha256, payload, created_at) values ($1, $2, $3, $4)',
    [
      chargeId,
      sha256,
      context.vault.seal('{}', {
        table: 'evidence',
        row: chargeId,
        tenant: tenant.tenant_id,
        mode: 'test',
      }),
      context.clock(),
    ],
  );
  const settlement = newId('stl', context.clock());
  await context.db.query(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, status, step,
       expected_amount_kobo, created_at)
     values ($1, $2, 'test', $4, 'provider_a', 'expected', 'pending', 1000, $3)`,
    [settlement, tenant.tenant_id, context.clock(), await anyConnection(stack)],
  );
  const delivery = await addDelivery(stack);
  return {
    'transactions reference': charge.reference,
    sha256,
    delivery,
    'refunds id': refund.json.id,
    'payment-links id': link.json.id,
    'settlements id': settlement,
    'discrepancies id': await addDiscrepancy(stack),
    'reviews id': await addReview(stack),
    'developers id': await addEndpoint(stack),
    'developers/deliveries/:id id': delivery,
    'developers/deliveries/:id/resend id': delivery,
    'developers/keys/:id id': await one(
      `select id from api_keys where tenant_id = $1 and mode = 'test' limit 1`,
    ),
    'developers/keys/:id/revoke id': await one(
      `select id from api_keys where tenant_id = $1 and mode = 'test' limit 1`,
    ),
    'providers id': await one(
      `select id from connections where tenant_id = $1 and mode = 'test' limit 1`,
    ),
    'members id': await one(`select id from members where tenant_id = $1 limit 1`),
    'account id': await one(
      `select f.id from token_families f join members m on m.id = f.member_id
       where m.tenant_id = $1 limit 1`,
    ),
  };
}
