import { expect } from 'chai';
import { Client } from 'pg';
import { type Orm, openOrm } from '../../../config/database/orm.ts';
import type { Database, Entities } from '../../../domain/shared/sql.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { type DeliveryQuery, listDeliveries } from '../../../domain/webhooks/delivery/delivery.ts';
import { disableEndpoint } from '../../../domain/webhooks/endpoint/disable.ts';
import { countPending, listEndpoints } from '../../../domain/webhooks/endpoint/find.ts';
import type { EndpointRow } from '../../../domain/webhooks/endpoint/secrets.ts';
import { explain, pagesOf, planCacheModes } from '../../../scripts/bench/explain.ts';
import { newDatabase } from '../../support/postgres.ts';

const OWNER = { tenantId: 'ten_own', mode: 'test' } as const;
const all: DeliveryQuery = {
  endpointId: undefined,
  eventId: undefined,
  status: undefined,
  before: '~',
  limit: 26,
};

/** Of each filter: no filter, a common value, a rare value, a value without rows. */
const statuses = [undefined, 'delivered', 'exhausted', 'pending', 'cancelled'] as const;
const endpoints = [undefined, 'whe_ok', 'whe_lost', 'whe_quiet', 'whe_none'];

/**
 * One whose deliveries arrive, one to which all failed of late, one that had few, one that was
 * deleted, and one of another tenant.
 */
const ENDPOINTS = `
insert into webhook_endpoints (id, tenant_id, mode, url, event_types, secret, created_at, deleted_at)
select 'whe_' || name, case when name = 'other' then 'ten_other' else 'ten_own' end, 'test', 'https://shop.example', '{charge.succeeded}', '', now(),
  case when name = 'old' then now() end
from unnest(array['ok', 'lost', 'quiet', 'old', 'other']) name`;

/** Forty thousand events, each with deliveries to some of the endpoints and a try of each. */
const EVENTS = `
insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
select 'evt_' || lpad(n::text, 26, '0'), 'ten_own', 'test', 'charge.succeeded', n, '{}', now() from generate_series(1, 16000) n`;
const DELIVERIES = `
insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, tries, created_at, finished_at, due_at)
select 'dlv_' || lpad((n * 10 + position)::text, 26, '0'), 'evt_' || lpad(n::text, 26, '0'), endpoint,
  case when endpoint = 'whe_other' then 'ten_other' else 'ten_own' end, 'test',
  case when endpoint = 'whe_lost' and n > 20000 then case when n > 39000 then 'pending' else 'exhausted' end when n % 997 = 0 then 'exhausted'
    when n % 1999 = 0 then 'cancelled' else 'delivered' end, 1, now(), now(), null
from generate_series(1, 16000) n, unnest(array['whe_ok', 'whe_lost', 'whe_quiet', 'whe_old', 'whe_other']) with ordinality as e (endpoint, position)
where endpoint in ('whe_ok', 'whe_lost') or endpoint = 'whe_other' and n > 20000 or n % 500 = 0`;
const TRIES = `
insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, status_code)
select id, endpoint_id, 1, now(), 1, 200 from deliveries`;

describe('A page of deliveries reads few database pages, however many deliveries there are', () => {
  let client: Client;
  let orm: Orm;
  before(async function () {
    this.timeout(60_000);
    const databaseUrl = await newDatabase();
    client = new Client({ connectionString: databaseUrl });
    orm = await openOrm({ databaseUrl, poolSize: 1, statementTimeoutMs: null });
    await client.connect();
    await client.query(
      `insert into tenants (id, name, created_at) select id, id, now() from unnest(array['ten_own', 'ten_other']) id`,
    );
    for (const fill of [ENDPOINTS, EVENTS, DELIVERIES, TRIES]) await client.query(fill);
    await client.query('vacuum (analyze) webhook_endpoints, events, deliveries, delivery_tries');
  });
  after(async () => {
    await orm.close(true);
    await client.end();
  });

  /** Entities that are read through `query`, by the statement the ORM makes of a `find`. */
  function entitiesOn({ query }: Pick<Database, 'query'>): Entities['em'] {
    const find: Entities['em']['find'] = (entity, where, { orderBy, limit } = {}) =>
      query(
        orm.em
          .createQueryBuilder(entity as never)
          .where(where as never)
          .orderBy(orderBy as never)
          .limit(limit)
          .getFormattedQuery(),
      ) as never;
    return { find } as Entities['em'];
  }

  async function expectCheap(
    what: string,
    most: number,
    work: (db: Database) => Promise<unknown>,
  ): Promise<void> {
    for (const planCacheMode of planCacheModes) {
      const { explained } = await explain(client, planCacheMode, work);
      expect(pagesOf(explained), `${what} ${planCacheMode}: pages`).to.be.at.most(most);
      expect(JSON.stringify(explained), `${what} ${planCacheMode}`).not.to.match(
        /"Seq Scan"[^{}]*"Relation Name":"(deliveries|delivery_tries|events)"/,
      );
    }
  }

  const combinations = statuses.flatMap((status) =>
    endpoints.map((endpointId) => ({ status, endpointId })),
  );
  const befores = ['~', 'dlv_00000000000000000000200000'];

  it('for every combination of status and endpoint, from the newest on and from the middle', async () => {
    for (const filter of combinations) {
      for (const before of befores) {
        const query = { ...all, ...filter, before };
        await expectCheap(JSON.stringify(query), 1_500, (db) => listDeliveries(db, OWNER, query));
      }
    }
  }).timeout(60_000);

  it('for one event, for every combination', async () => {
    for (const filter of combinations) {
      for (const eventId of ['evt_00000000000000000000019940', 'evt_none']) {
        await expectCheap(JSON.stringify(filter), 300, (db) =>
          listDeliveries(db, OWNER, { ...all, ...filter, eventId }),
        );
      }
    }
  }).timeout(60_000);

  it('and holds the rows that a scan of all deliveries finds', async () => {
    for (const { status, endpointId } of combinations) {
      for (const before of befores) {
        const { rows } = await client.query(
          `select id from deliveries where tenant_id = 'ten_own' and id < $1 and ($2::text is null or status = $2)
             and ($3::text is null or endpoint_id = $3) order by id desc limit 26`,
          [before, status, endpointId],
        );
        const { result } = await explain(client, 'auto', (db) =>
          listDeliveries(db, OWNER, { ...all, status, endpointId, before }),
        );
        expect(
          result.map(({ id }) => id),
          `${status} ${endpointId} ${before}`,
        ).to.deep.equal(rows.map(({ id }) => id));
      }
    }
  }).timeout(60_000);

  it('and so does a page of endpoints, with the pending deliveries of each', async () => {
    await expectCheap('endpoints', 1_500, (db) =>
      listEndpoints({ query: db.query, em: entitiesOn(db) }, OWNER, '~', 26),
    );
  });

  it('and so does counting the pending deliveries of an endpoint', async () => {
    await expectCheap('pending', 1_500, (db) =>
      countPending(db, { id: 'whe_lost' } as EndpointRow),
    );
  });

  it('and so does disabling an endpoint: it reads its pending deliveries, not all it ever had', async () => {
    const tx = { now: new Date() } as Tx;
    await expectCheap('disable', 60_000, (sql) =>
      disableEndpoint({ ...tx, sql }, 'whe_lost', 'by_hand'),
    );
  }).timeout(60_000);
});
