import { Attempt } from '../../../domain/payments/entities/attempt.ts';
import { Refund } from '../../../domain/payments/entities/refund.ts';
import { foldFigures } from '../../../domain/payments/figures/store.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';
import { readPayouts } from './payouts.ts';
import { check, execute } from './refunds.ts';
import { verify } from './sale.ts';

/** Does what workers would have done by now, so that none of it is left to do at once. */
export async function catchUp(past: Past, { tenantId, accounts }: Business): Promise<void> {
  const due = { due_at: { $lte: past.now() } };
  const connections = Object.values(accounts).map(({ connection }) => connection.id);
  const attempts = await past.tx(({ em }) =>
    em.find(Attempt, { ...due, connection_id: { $in: connections } }, { orderBy: { id: 'asc' } }),
  );
  await Promise.all(attempts.map((attempt) => verify(past, { attempt })));
  const refunds = await past.tx(({ em }) =>
    em.find(Refund, { ...due, tenant_id: tenantId }, { orderBy: { id: 'asc' } }),
  );
  for (const { id, status } of refunds) await (status === 'approved' ? execute : check)(past, id);
  for (const account of Object.values(accounts)) await readPayouts(past, account);
  await foldFigures(past.context.db);
}
