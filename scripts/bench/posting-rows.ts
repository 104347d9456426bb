import { withoutIndexes } from './filling.ts';
import { openSession } from './session.ts';

/** Posts what the charges of a ledger moved, with a payout a day at each provider. */
export async function fillPostings(databaseUrl: string) {
  await using session = await openSession({ connectionString: databaseUrl });
  await session.query(CONNECTIONS);
  await withoutIndexes(session, ['postings'], async () => {
    for (const text of [OF_CHARGES, OF_DAYS]) await session.query(text);
  });
  await session.query('vacuum (analyze) postings, connections');
  await session.query('checkpoint');
}

const CONNECTION = `'con_of_' || slot`;

const CONNECTIONS = `
insert into connections (id, tenant_id, mode, slot, adapter, credentials, position, created_at,
  disabled_at)
select 'con_of_' || wanted, tenant_id, mode, wanted, adapter, credentials, 0, created_at, now()
from (select * from connections limit 1) any_connection,
  unnest(array['provider_a', 'provider_b', 'provider_c']) wanted`;

const INSERT = `
insert into postings (id, tenant_id, mode, connection_id, debit, credit, amount_kobo, type, source,
  sequence, occurred_at, created_at)`;

const OF_CHARGES = `${INSERT}
select 'btx_' || substr(id, 5, 10) || left(md5(number || type), 16), tenant_id, mode, ${CONNECTION},
  debit, credit, kobo, type, 'cap_' || substr(id, 5), 1, occurred_at, created_at
from charges, lateral (values
  ('capture', 'at_provider', 'collected', amount_kobo, true),
  ('fee', 'fees', 'at_provider', fee_kobo, true),
  ('refund', 'refunds', 'at_provider', amount_kobo, status = 'refunded'),
  ('dispute', 'held_by_dispute', 'at_provider', amount_kobo, status = 'disputed')
) moved (type, debit, credit, kobo, is_moved)
where status <> 'failed' and is_moved`;

const OF_DAYS = `${INSERT}
select 'btx_' || substr(max(id), 5, 10) || left(md5(max(number) || 'payout'), 16), tenant_id, mode,
  ${CONNECTION}, 'bank', 'at_provider', sum(amount_kobo - fee_kobo), 'payout',
  'stl_' || substr(max(id), 5), 1, max(created_at), max(created_at)
from charges where status = 'settled' group by tenant_id, mode, slot, created_at::date`;
