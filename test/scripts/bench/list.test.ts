import { expect } from 'chai';
import { Client } from 'pg';
import { isId, newId } from '../../../domain/shared/ids.ts';
import { queriesOf, roundOf } from '../../../scripts/bench/list-queries.ts';
import { customersOf, emailOf, fillLedger, HEAVY_EMAIL } from '../../../scripts/bench/list-rows.ts';
import { newDatabase } from '../../support/postgres.ts';

const end = new Date('2026-06-30T12:00:00Z');

describe('The bench of lists', () => {
  it('asks for every filter and every pair of filters, with several values of each', () => {
    const queries = queriesOf({ tenantId: newId('ten', end), rows: 1_000, end }, 5);
    const byFilters = Map.groupBy(queries, ({ filters }) => filters);
    expect(byFilters.size).to.equal(6 + 15);
    for (const [filters, asked] of byFilters) {
      expect(new Set(asked.map(({ query }) => query)).size, filters).to.equal(asked.length);
      for (const { query } of asked)
        expect([...new URLSearchParams(query).keys()].join('+')).to.equal(filters);
      expect(asked.length, filters).to.be.greaterThan(1);
    }
  });

  it('asks for each of them as often as for any other, with all its values', () => {
    const ledger = { tenantId: newId('ten', end), rows: 1_000, end };
    const round = roundOf(ledger, 5);
    const byFilters = Map.groupBy(round, ({ filters }) => filters);
    expect(new Set([...byFilters.values()].map((asked) => asked.length)).size).to.equal(1);
    const queries = new Set(round.map(({ query }) => query));
    expect(queriesOf(ledger, 5).filter(({ query }) => !queries.has(query))).to.deep.equal([]);
  });

  it('writes a year of charges as the service would have written them', async () => {
    const ledger = { tenantId: newId('ten', end), rows: 3_000, end };
    const databaseUrl = await newDatabase();
    await fillLedger(databaseUrl, ledger);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query('select * from charges order by created_at');
      expect(rows).to.have.length(3_000);
      expect(rows.map(({ id }) => id)).to.deep.equal([...rows.map(({ id }) => id)].sort());
      expect(rows.every(({ id }) => isId('txn', id))).to.equal(true);
      expect(rows.every(({ created_at, occurred_at }) => occurred_at >= created_at)).to.equal(true);
      expect(
        rows.every(({ status, channel }) => (channel === null) === (status === 'failed')),
      ).to.equal(true);
      expect(rows.at(-1).created_at).to.deep.equal(end);
      expect(rows.filter(({ email }) => email === HEAVY_EMAIL)).to.have.length(150);
      const ordinary = rows.filter(
        ({ email }) => email === emailOf(7 % customersOf(ledger)) || email === emailOf(1),
      );
      expect(ordinary.length).to.be.within(9, 20);
      const { rows: indexes } = await client.query(
        `select indexname from pg_indexes where tablename = 'charges'`,
      );
      expect(indexes.map(({ indexname }) => indexname)).to.include.members([
        'charges_tenant',
        'charges_combination',
        'charges_underway',
      ]);
    } finally {
      await client.end();
    }
  });
});
