import { type Orm, openOrm } from '../../../config/database/orm.ts';
import type { Database, Entities } from '../../../domain/shared/sql.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { type DeliveryQuery, listDeliveries } from '../../../domain/webhooks/delivery/delivery.ts';
import { disableEndpoint } from '../../../domain/webhooks/endpoint/disable.ts';
import { countPending, listEndpoints } from '../../../domain/webhooks/endpoint/find.ts';
import type { EndpointRow } from '../../../domain/webhooks/endpoint/secrets.ts';
import { usePlans } from '../../support/plans.ts';

const OWNER = { tenantId: 'ten_own', mode: 'test' } as const;
const all: DeliveryQuery = {
  endpointId: undefined,
  eventId: undefined,
  status: undefined,
  before: '~',
  limit: 26,
};

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

const TENANTS = `
insert into tenants (id, name, created_at) select id, id, now() from unnest(array['ten_own', 'ten_other']) id`;
const FOUND = `
select id from deliveries where tenant_id = 'ten_own' and id < $1 and ($2::text is null or status = $2)
  and ($3::text is null or endpoint_id = $3) and ($4::text is null or event_id = $4) order by id desc limit 26`;

const tables = ['deliveries', 'delivery_tries', 'events'];

describe('A page of deliveries reads few database pages, however many deliveries there are', function () {
  this.timeout(60_000);
  let orm: Orm;
  const plans = usePlans(async (client, databaseUrl) => {
    orm = await openOrm({ databaseUrl, poolSize: 1, statementTimeoutMs: null });
    for (const fill of [TENANTS, ENDPOINTS, EVENTS, DELIVERIES, TRIES]) await client.query(fill);
    await client.query('vacuum (analyze) webhook_endpoints, events, deliveries, delivery_tries');
  });
  after(() => orm.close(true));

  function entitiesOn({ query }: Pick<Database, 'query'>): Entities['em'] {
    const find: Entities['em']['find'] = (entity, where, { orderBy, limit } = {}) => {
      const found = orm.em.createQueryBuilder(entity as never).where(where as never);
      return query(
        found
          .orderBy(orderBy as never)
          .limit(limit)
          .getFormattedQuery(),
      ) as never;
    };
    return { find } as Entities['em'];
  }

  const combinations = statuses.flatMap((status) =>
    endpoints.map((endpointId) => ({ status, endpointId })),
  );

  const places: Record<string, [pages: number, ...Partial<DeliveryQuery>[]]> = {
    'from the newest on and from the middle': [
      1_500,
      ...['~', 'dlv_00000000000000000000200000'].map((before) => ({ before })),
    ],
    'for one event': [
      300,
      ...['evt_00000000000000000000019940', 'evt_none'].map((eventId) => ({ eventId })),
    ],
  };
  for (const [where, [pages, ...queries]] of Object.entries(places))
    it(`for every combination of status and endpoint, ${where}, with the rows of a scan`, async () => {
      for (const filter of combinations)
        for (const place of queries) {
          const query = { ...all, ...filter, ...place };
          const list = (db: Database) => listDeliveries(db, OWNER, query);
          await plans.expectCheap(query, { pages, tables }, list);
          const { before, status, endpointId, eventId } = query;
          await plans.expectRows(query, list, FOUND, [before, status, endpointId, eventId]);
        }
    });

  const also: Record<string, [pages: number, work: (db: Database) => Promise<unknown>]> = {
    'a page of endpoints, with the pending deliveries of each': [
      1_500,
      (db) => listEndpoints({ query: db.query, em: entitiesOn(db) }, OWNER, '~', 26),
    ],
    'counting the pending deliveries of an endpoint': [
      1_500,
      (db) => countPending(db, { id: 'whe_lost' } as EndpointRow),
    ],
    'disabling an endpoint: it reads its pending deliveries, not all it ever had': [
      60_000,
      (sql) => disableEndpoint({ sql, now: new Date() } as unknown as Tx, 'whe_lost', 'by_hand'),
    ],
  };
  for (const [what, [pages, work]] of Object.entries(also))
    it(`and so does ${what}`, () => plans.expectCheap(what, { pages, tables }, work));
});
