import { expect } from 'chai';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { channels } from '../../../../domain/providers/port/payment.ts';
import { slots } from '../../../../domain/shared/slot.ts';
import { usePlans } from '../../../support/plans.ts';

describe('The key by which charges are listed', () => {
  const plans = usePlans(async (client) => {
    await client.query(
      `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email,
         metadata, provider_wanted, slot, connection_id, created_by, occurred_at, created_at,
         expires_at)
       values ('txn_1', 'ten_1', 'live', 1, 'initiated', 100, 'NGN', 'ada@mail.example', '{}',
         'auto', 'provider_a', 'con_1', 'secret', now(), now(), now())`,
    );
  });

  it('differs for every mode, status, provider and channel, and is one for what is not paid', async () => {
    const { rows } = await plans.client.query<{ key: number; names: string[] }>(
      `select charge_list_key(mode, status, slot, channel) as key,
         array_agg(concat_ws(' ', mode, status, slot, channel) order by status) as names
       from unnest(array['live', 'test']) mode, unnest($1::text[]) status,
         unnest($2::text[]) slot, unnest($3::text[]) channel
       group by 1`,
      [chargeStatuses, slots, [...channels, null]],
    );
    expect(rows.map(({ key }) => key)).to.not.include(null);
    const statuses = (chargeStatuses.length - 1) * slots.length * (channels.length + 1) * 2;
    expect(rows).to.have.length(statuses);
    const alike = rows.filter(({ names }) => names.length > 1);
    expect(alike.map(({ names }) => names.map((name) => name.split(' ')[1]))).to.deep.equal(
      alike.map(() => ['initiated', 'pending']),
    );
  });

  it('leaves all indexes alone when a payment exists at its provider', async () => {
    const { client } = plans;
    await client.query('begin');
    await client.query(`update charges set status = 'pending'`);
    const { rows } = await client.query<{ hot: string; all: string }>(
      `select pg_stat_get_xact_tuples_hot_updated('charges'::regclass) as hot,
         pg_stat_get_xact_tuples_updated('charges'::regclass) as all`,
    );
    await client.query('rollback');
    expect(rows).to.deep.equal([{ hot: '1', all: '1' }]);
  });
});
