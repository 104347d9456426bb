import { expect } from 'chai';
import pg from 'pg';
import { PLANNED_ONCE } from '../../../../config/database/orm.ts';
import { insertByCredential } from '../../../../domain/payments/charge/insert.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import { newDatabase } from '../../../support/postgres.ts';

describe('The statement that writes charges', () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client({ connectionString: await newDatabase(), options: PLANNED_ONCE });
    await client.connect();
  });
  after(() => client.end());

  it('looks each credential up by its hash, and reads no table', async () => {
    const plan: string[] = [];
    // As it is planned once for a connection, often while the tables are still empty.
    const query = async (text: string) => {
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      plan.push(...rows.map((row) => row['QUERY PLAN']));
      return [];
    };
    await insertByCredential({ query } as Sql, [], []);
    expect(plan.join('\n'))
      .to.match(/Index Cond: \(sha256 = asked_\d+\.asker\)/)
      .and.not.include('Seq Scan');
  });
});
