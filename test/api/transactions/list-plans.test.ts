import { ANY_TIME, type ChargeFilter } from '../../../domain/payments/charge/filter.ts';
import { listCharges, totalOfCharges } from '../../../domain/payments/charge/list.ts';
import { firstIdAt, newId } from '../../../domain/shared/ids.ts';
import type { Database } from '../../../domain/shared/sql.ts';
import {
  amountKoboOf,
  emailOf,
  fillLedger,
  HEAVY_AMOUNT_KOBO,
  HEAVY_EMAIL,
  HEAVY_PHONE,
  phoneOf,
  settlementOf,
  TRIED_LINK,
} from '../../../scripts/bench/list-rows.ts';
import { DAY } from '../../support/clock.ts';
import { usePlans } from '../../support/plans.ts';

const ROWS = 25_000;
const END = new Date('2026-06-30T12:00:00Z');
const day = (daysAgo: number) => new Date(END.getTime() - daysAgo * DAY);

const choices: Record<string, Partial<ChargeFilter>[]> = {
  status: [['settled'], ['disputed', 'refunded'], ['initiated']].map((status) => ({ status })),
  provider: (['provider_a', 'provider_c'] as const).map((slot) => ({ slot })),
  channel: [['card', 'ussd'], ['qr'], ['mobile_money']].map((channel) => ({ channel })),
  customer: [HEAVY_EMAIL, emailOf(123), 'nobody@mail.example'].map((email) => ({ email })),
  phone: [HEAVY_PHONE, phoneOf(123), '+2347000000000'].map((phone) => ({ phone })),
  amount: [HEAVY_AMOUNT_KOBO, amountKoboOf(123), 1].map((amountKobo) => ({ amountKobo })),
  'merchant reference': ['ORDER-7', 'none'].map((merchantReference) => ({ merchantReference })),
  'provider reference': ['T9', 'none'].map((providerReference) => ({ providerReference })),
  settlement: [settlementOf(day(3)), 'stl_none'].map((settlementId) => ({ settlementId })),
  'payment link': [TRIED_LINK, 'lnk_none'].map((paymentLinkId) => ({ paymentLinkId })),
  from: [365, 1, -1].map((ago) => ({ occurred: { start: day(ago) } }) as ChargeFilter),
  to: [-1, 364, 366].map((ago) => ({ occurred: { end: day(ago) } }) as ChargeFilter),
};
const names = Object.keys(choices);
const none: ChargeFilter = { occurred: ANY_TIME };

function filtersOf(...used: string[]): ChargeFilter[] {
  return used.reduce(
    (filters, name) =>
      filters.flatMap(({ occurred, ...filter }) =>
        choices[name]!.map((choice) => ({
          ...{ ...filter, ...choice },
          occurred: { ...occurred, ...choice.occurred },
        })),
      ),
    [none],
  );
}

const CROWD = `
insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata, provider_wanted, slot, connection_id,
  created_by, occurred_at, created_at, expires_at)
select $2 || lpad(n::text, 16, '0'), $1, mode, -n, 'pending', 100000, 'NGN', 'crowd@mail.example', '{}', 'auto', 'provider_a', connection_id,
  'secret', created_at + interval '1 year', created_at + interval '1 year', expires_at
from (select * from charges limit 1) any_charge, generate_series(1, 10000) n`;

describe('A page of transactions reads few database pages, however many transactions there are', function () {
  this.timeout(60_000);
  const tenantId = newId('ten', END);
  const plans = usePlans((_client, databaseUrl) =>
    fillLedger(databaseUrl, { tenantId, rows: ROWS, end: END }),
  );

  const MOST = { pages: 2_500, rows: 2_500, tables: ['charges'] };
  const list = (filter: ChargeFilter) => (db: Database) =>
    listCharges(db, { tenantId, mode: 'test' }, filter, { before: '~', most: 26 });

  const singles = names.map((name) => [name]);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  const filters = [[], ...singles, ...pairs].flatMap((used) => filtersOf(...used));
  const expectEveryPairCheap = async () => {
    for (const filter of filters) await plans.expectCheap(filter, MOST, list(filter));
  };

  it('for every filter and every pair of filters', expectEveryPairCheap);

  it('led by the key that finds fewest, whichever of two that is', async () => {
    for (const few of [
      { email: HEAVY_EMAIL, amountKobo: amountKoboOf(123) },
      { email: emailOf(123), amountKobo: HEAVY_AMOUNT_KOBO },
    ])
      await plans.expectCheap(
        few,
        { pages: 1_000, rows: 100, tables: ['charges'] },
        list({ ...none, ...few }),
      );
  });

  it('far from the newest, too', async () => {
    const before = firstIdAt('txn', day(350));
    for (const filter of [none, ...filtersOf('payment link')])
      await plans.expectCheap(filter, { pages: 150 }, (db) =>
        listCharges(db, { tenantId, mode: 'test' }, filter, { before, most: 26 }),
      );
  });

  it('and so do their count and sum, which end at a bound', async () => {
    for (const filter of filters)
      await plans.expectCheap(filter, MOST, (db) =>
        totalOfCharges(db, { tenantId, mode: 'test' }, filter, 200),
      );
  });

  it('where most are alike, and the newest are of another tenant', async () => {
    const { client } = plans;
    await client.query('set session_replication_role = replica'); // nothing refers to these charges, and checking each takes long
    await client.query(
      `delete from charges where slot <> 'provider_a' or status not in ('settled', 'failed') or channel in ('ussd', 'qr')`,
    );
    await client.query(CROWD, [newId('ten', END), firstIdAt('txn', day(-1)).slice(0, 14)]);
    await client.query('reset session_replication_role');
    await client.query('vacuum (analyze) charges');
    await expectEveryPairCheap();
  });
});
