import { expect } from 'chai';
import { Client } from 'pg';
import { PLANNED_ONCE } from '../../config/database/orm.ts';
import type { Database, Sql } from '../../domain/shared/sql.ts';
import { explain, nodesOf, pagesOf, planCacheModes } from '../../scripts/bench/explain.ts';
import { newDatabase } from './postgres.ts';

export interface Cheap {
  pages: number;
  /** Of one step of a plan. */
  rows?: number;
  /** None of them is read whole. */
  tables?: readonly string[];
}

export type Plans = ReturnType<typeof usePlans>;

/** A database for the tests of a `describe`, filled for them. Its rows may refer to none. */
export function usePlans(fill: (client: Client, databaseUrl: string) => Promise<unknown>) {
  const plans = {
    client: undefined as unknown as Client,
    /** Expects that work reads little, planned for its values and without a look at them. */
    async expectCheap(
      what: unknown,
      { pages, rows = Infinity, tables = [] }: Cheap,
      work: (db: Database) => Promise<unknown>,
      modes: readonly ((typeof planCacheModes)[number] | 'auto')[] = planCacheModes,
    ) {
      for (const mode of modes) {
        const { explained } = await explain(plans.client, mode, work);
        const about = `${JSON.stringify(what)} ${mode}`;
        expect(pagesOf(explained), `${about}: pages`).to.be.at.most(pages);
        for (const node of explained.flatMap(({ plan }) => nodesOf(plan))) {
          if (!tables.includes(node['Relation Name'] ?? '')) continue;
          expect(node['Node Type'], about).not.to.equal('Seq Scan');
          const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
          expect(read * node['Actual Loops'], `${about}: rows of a step`).to.be.at.most(rows);
        }
      }
    },
    /** As statements are planned once for a connection, often while the tables are still empty. */
    async linesOf(work: (sql: Sql) => Promise<unknown>): Promise<string[]> {
      const lines: string[] = [];
      const query = async (text: string) => {
        const { rows } = await plans.client.query(`explain (generic_plan) ${text}`);
        lines.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      };
      await work({ query } as Sql);
      return lines;
    },
    async expectRows(
      what: unknown,
      list: (db: Database) => Promise<readonly { id: string }[]>,
      query: string,
      values: readonly unknown[],
    ) {
      const { rows } = await plans.client.query(query, [...values]);
      const { result } = await explain(plans.client, 'auto', list);
      const ids = result.map(({ id }) => id);
      expect(ids, JSON.stringify(what)).to.deep.equal(rows.map(({ id }) => id));
    },
  };
  before(async function () {
    this.timeout(600_000);
    const databaseUrl = await newDatabase();
    plans.client = new Client({ connectionString: databaseUrl, options: PLANNED_ONCE });
    await plans.client.connect();
    await plans.client.query('set session_replication_role = replica');
    await fill(plans.client, databaseUrl);
    await plans.client.query('reset session_replication_role');
  });
  after(() => plans.client.end());
  return plans;
}
