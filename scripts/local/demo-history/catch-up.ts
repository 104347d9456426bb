import { foldFigures } from '../../../domain/payments/figures/store.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';
import { readPayouts } from './payouts.ts';
import { check, execute } from './refunds.ts';
import { type Sale, verify } from './sale.ts';

/**
 * Does what workers would have done by now: the checks that are due, so that none is left to do at
 * once after the history was filled.
 */
export async function catchUp(past: Past, { tenantId, accounts }: Business): Promise<void> {
  const { db } = past.context;
  const attempts = await db.query<Sale['attempt']>(
    `select a.id, a.reference, a.connection_id from attempts a join charges c on c.id = a.charge_id
     where c.tenant_id = $1 and a.due_at <= $2 order by a.id`,
    [tenantId, past.now()],
  );
  for (const attempt of attempts) await verify(past, { attempt });
  const refunds = await db.query<{ id: string; status: string }>(
    'select id, status from refunds where tenant_id = $1 and due_at <= $2 order by id',
    [tenantId, past.now()],
  );
  for (const { id, status } of refunds) await (status === 'approved' ? execute : check)(past, id);
  for (const account of Object.values(accounts)) await readPayouts(past, account);
  await foldFigures(db);
}
