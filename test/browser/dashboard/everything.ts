import type { View } from '../../../api/dashboard/request.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { anyConnection } from '../../support/connect.ts';
import { addDelivery, addEndpoint } from '../../support/deliveries.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { newLink } from '../../support/payment-links.ts';
import { addReview } from '../../support/reviews.ts';
import type { Stack } from '../../support/stack.ts';

/** Texts as long as they may be, which no view may be widened by. */
const LONG = 'adaeze.oluwaseun.chukwuemeka.okonkwo-adebayo.the.third'.repeat(4).slice(0, 200);

/** What paths of views name. */
export type Ids = Record<
  | 'reference'
  | 'sha256'
  | 'refund'
  | 'link'
  | 'settlement'
  | 'discrepancy'
  | 'endpoint'
  | 'delivery',
  string
>;

/** Writes a row of each kind in the tenant's test mode, with texts as long as they may be. */
export async function addEverything(stack: Stack): Promise<Ids> {
  const charge = await newCharge(stack, {
    email: `${'x'.repeat(60)}@${'subdomain.'.repeat(6)}example.com`,
    name: LONG.slice(0, 100),
    reference: LONG.slice(0, 100),
    metadata: { [LONG.slice(0, 40)]: LONG },
  });
  await putCharge(stack, charge, 'succeeded');
  const refund = { reference: charge.reference, reason: LONG };
  const requested = await stack.api.post('/refunds', refund);
  const link = await newLink(stack, { description: LONG });
  await addReview(stack);
  await addTroubles(stack, requested.json.id);
  return {
    reference: charge.reference,
    sha256: await addEvidence(stack, charge.id.replace('ct_', 'txn_')),
    refund: requested.json.id,
    link: link.id,
    settlement: await addSettlement(stack),
    discrepancy: await addDiscrepancy(stack),
    endpoint: await addEndpoint(stack),
    delivery: await addDelivery(stack),
  };
}

/** A view's path with ids in it. */
export function pathOf({ path }: View, ids: Ids): string {
  const id = {
    'payment-links': ids.link,
    refunds: ids.refund,
    settlements: ids.settlement,
    discrepancies: ids.discrepancy,
    endpoints: ids.endpoint,
    deliveries: ids.delivery,
  } as Record<string, string>;
  return path
    .replace(/([\w-]+)\/:id/, (_match, kind: string) => `${kind}/${id[kind]}`)
    .replace(':reference', ids.reference)
    .replace(':sha256', ids.sha256);
}

/** What views warn of in red. */
async function addTroubles({ context: { db }, clock }: Stack, refundId: string): Promise<void> {
  await db.query('update charges set failure_message = $1', [LONG]);
  await db.query('update refunds set failure_message = $2, attention = $2 where id = $1', [
    refundId,
    LONG,
  ]);
  await db.query('update connections set credentials_refused_at = $1', [clock()]);
}

async function addEvidence({ context, tenant }: Stack, chargeId: string): Promise<string> {
  const sha256 = 'a'.repeat(64);
  const place = { table: 'evidence', row: chargeId, tenant: tenant.tenant_id, mode: 'test' };
  await context.db.query(
    'insert into evidence (charge_id, sha256, payload, created_at) values ($1, $2, $3, $4)',
    [
      chargeId,
      sha256,
      context.vault.seal(JSON.stringify({ text: LONG }), place as never),
      context.clock(),
    ],
  );
  return sha256;
}

async function addSettlement(stack: Stack): Promise<string> {
  const { context, tenant } = stack;
  const id = newId('stl', context.clock());
  await context.db.query(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, status, step,
       expected_amount_kobo, created_at)
     values ($1, $2, 'test', $4, 'provider_a', 'expected', 'pending', 1000, $3)`,
    [id, tenant.tenant_id, context.clock(), await anyConnection(stack)],
  );
  return id;
}
