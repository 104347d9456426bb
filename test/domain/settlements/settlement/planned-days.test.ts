import type { SettlementAccount } from '../../../../domain/settlements/account/account.ts';
import { planCaptures } from '../../../../domain/settlements/settlement/forecast.ts';
import { usePlans } from '../../../support/plans.ts';

/** Payments of an hour, of which PostgreSQL knows nothing: it read the table when there were few. */
const FILL = `
insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
  amount_kobo, currency, channel, captured_at, recorded_at, settles_on)
select 'cap_' || lpad(n::text, 26, '0'), 'txn_' || n, 'att_' || n, 'con_1', 'pay_' || n, 'applied',
  500000, 'NGN', 'card', '2026-11-02 09:00Z', now(), case when n <= 2000 then date '2026-11-03' end
from generate_series($1::int, $2::int) n`;

const account = { id: 'con_1', adapter: 'paystack' } as SettlementAccount;

describe('However many payments have no day of settlement yet', () => {
  const plans = usePlans(async (client) => {
    await client.query('alter table captures set (autovacuum_enabled = off)');
    await client.query(FILL, [1, 2_000]);
    await client.query('vacuum analyze captures');
    await client.query(FILL, [2_001, 5_000]);
  });

  it('a thousand of them are found by their ids', () =>
    plans.expectCheap(
      'their days',
      { pages: Number.POSITIVE_INFINITY, rows: 1_000, tables: ['captures'] },
      (sql) => planCaptures(sql, account),
    ));
});
