import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { newId } from '../../domain/shared/ids.ts';
import { newCharge } from '../support/charges.ts';
import { expectContractHeaders, expectRefused } from '../support/contract.ts';
import { publish } from '../support/deliveries.ts';
import { addDispute } from '../support/disputes.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { memberOf } from '../support/members.ts';
import { addPostings } from '../support/postings.ts';
import { nameOf, pathOf } from '../support/route-calls.ts';
import { useStack } from '../support/stack.ts';
import { entries } from './access-table.ts';

const lists = routes.filter(
  ({ query }) => 'cursor' in ((query?.properties ?? {}) as Record<string, unknown>),
);
/** What is below a settlement or a dispute is tested with it. */
const walked = lists.filter(({ path }) => !path.includes('/:id/'));
const topLevel = lists.filter(({ path }) => !path.includes(':'));

const modeless = ['/members'];

describe('Every list', () => {
  const stack = useStack({ workers: false, books: false });
  let key: string;
  let reference: string;
  let membersCursor: string;
  before(async () => {
    key = (await memberOf(stack, stack.tenant, 'owner')).token;
    ({ reference } = await newCharge(stack));
    await stack.api.post(`/charges/${reference}/cancel`); // so that there is more in its timeline
    for (const { subject } of Object.values(entries)) await subject?.(stack);
    await addDispute(stack);
    await addPostings(stack);
    await publish(stack);
    await nothingHeldBack(stack);
    membersCursor = (await stack.api.get('/members?limit=1', { key })).json.next_cursor;
  });

  for (const route of walked) {
    it(`refuses at ${nameOf(route)} the cursor of another list`, async () => {
      const path = pathOf(route, reference, stack.clock());
      const foreign = route.path === '/members' ? [] : [membersCursor];
      for (const cursor of ['x', '%00', `${membersCursor}0`, ...foreign]) {
        const refused = await stack.api.get(`${path}?cursor=${cursor}`, { key });
        expectRefused(refused, 'validation_failed', ['cursor']);
      }
    });
  }

  async function walk(path: string, limit: number, between?: () => Promise<unknown>) {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { json, text } = await stack.api.get(`${path}&limit=${limit}${cursor}`, { key });
      expect(json.data.length, text).to.be.at.most(limit);
      ids.push(...idsOf(json));
      expect(new Set(ids).size, 'none twice').to.equal(ids.length);
      if (json.next_cursor === undefined || json.data.length === 0) return ids;
      cursor = `&cursor=${json.next_cursor}`;
      await between?.();
    }
  }

  for (const route of walked) {
    it(`shows at ${nameOf(route)} each row once, in order, page by page, whatever is added meanwhile`, async () => {
      const path = pathOf(route, reference, stack.clock());
      const whole = await stack.api.get(`${path}?limit=100`, { key });
      expectContractHeaders(whole, stack.tenant.tenant_id);
      const { data, tenant_id, next_cursor, ...rest } = whole.json;
      expect([tenant_id, rest]).to.deep.equal([stack.tenant.tenant_id, {}]);
      if (path !== '/events') expect(next_cursor).to.equal(undefined);
      const ids = idsOf(whole.json);
      const order = data.map(({ at, id }: { at?: string; id: string }) => at ?? id);
      const oldestFirst = order.toSorted();
      const isOldestFirst = /oldest first/.test(route.summary);
      expect(order).to.deep.equal(isOldestFirst ? oldestFirst : oldestFirst.reverse());
      expect(ids.length).to.be.greaterThan(1);
      const addRow = async () => entries[`GET ${path}/:id`]?.subject?.(stack);
      expect(await walk(`${path}?`, 1, addRow)).to.deep.equal(ids);
      for (const search of filtersFor(Object.keys(route.query!.properties as object), data[0]))
        expect(await walk(`${path}?${search}`, 2), search).to.deep.equal(
          await walk(`${path}?${search}`, 100),
        );
    });
  }

  for (const path of [
    ...['/transactions', '/settlements', '/discrepancies', '/balance-transactions'],
  ])
    it(`refuses at GET ${path} days in the wrong order, naming from`, async () => {
      const refused = await stack.api.get(`${path}?from=2026-03-02&to=2026-03-01`);
      expectRefused(refused, 'validation_failed', ['from']);
    });

  for (const { path, query } of topLevel) {
    it(`shows at GET ${path}, for every filter, only rows of the tenant and mode`, async () => {
      const all = (await stack.api.get(path, { key })).json;
      const others = [
        await memberOf(stack, await stack.newTenant(), 'owner'),
        ...(modeless.includes(path) ? [] : [await memberOf(stack, stack.tenant, 'owner', 'live')]),
      ];
      const ids = new Set(idsOf(all));
      expect(ids).not.to.have.property('size', 0);
      for (const search of filtersFor(Object.keys(query!.properties as object), all.data[0])) {
        const own = (await stack.api.get(`${path}?${search}`, { key })).json;
        expect(own.data, search).not.to.deep.equal([]);
        expect(own.tenant_id).to.equal(stack.tenant.tenant_id);
        for (const { token } of others) {
          const { status, json } = await stack.api.get(`${path}?${search}`, { key: token });
          expect(status).to.equal(200);
          expect(
            idsOf(json).filter((id) => ids.has(id)),
            search,
          ).to.deep.equal([]);
        }
      }
    });

    it(`shows at GET ${path}, for every filter, the rows that fit and no others`, async () => {
      const list = async (search = ''): Promise<Row[]> =>
        (await stack.api.get(`${path}?limit=100${search}`, { key })).json.data;
      const all = await list();
      for (const [name, schema] of Object.entries(query!.properties as Record<string, Row>)) {
        const some = all.map((row) => filteredBy(row, name)).filter((value) => value != null);
        for (const value of schema.enum ??
          schema.items?.enum ??
          (nobodys[name] ? [...some, nobodys[name]] : [])) {
          const fitting = all.filter((row) => filteredBy(row, name) === value);
          const found = await list(`&${new URLSearchParams({ [name]: value })}`);
          expect(found, `${name}=${value}`).to.deep.equal(fitting);
        }
      }
      if (!('from' in (query!.properties as object))) return;
      for (const days of ['&from=2099-01-01', '&to=2000-01-01'])
        expect(await list(days), days).to.deep.equal([]);
    });

    it(`has at GET ${path} an empty page for a tenant without rows`, async () => {
      const tenant_id = newId('ten', stack.clock());
      await stack.sql`insert into tenants (id, name, created_at)
        values (${tenant_id}, 'New Store', ${stack.clock()})`;
      const { token, memberId } = await memberOf(stack, { tenant_id }, 'owner');
      const { data, next_cursor, ...rest } = (await stack.api.get(path, { key: token })).json;
      expect(rest).to.deep.equal({ tenant_id });
      expect(data.map(({ id }: { id: string }) => id)).to.deep.equal(
        path === '/members' ? [memberId] : [],
      );
      if (path === '/events') expect(next_cursor).to.be.a('string');
      else expect(next_cursor).to.equal(undefined);
    });
  }
});

type Row = Record<string, any>;

/** For each filter that is no enumeration, a value that no row has. */
const nobodys: Record<string, string> = {
  ...{ endpoint: `whe_${'0'.repeat(26)}`, event: `evt_${'0'.repeat(26)}` },
  ...{ settlement: `stl_${'0'.repeat(26)}`, reference: 'SV-999999999' },
  source: `stl_${'0'.repeat(26)}`,
  ...{ customer: 'nobody@payer.example', amount_kobo: '1', merchant_reference: 'none' },
  ...{ provider_reference: 'none', settlement_id: `stl_${'0'.repeat(26)}` },
  payment_link: `lnk_${'0'.repeat(26)}`,
};

function filteredBy({ object, ...row }: Row, name: string): unknown {
  if (name === 'customer') return row.customer?.email;
  if (object === 'review' && name === 'status') return row.status === 'open' ? 'open' : 'closed';
  return row[name] ?? row[`${name}_id`];
}

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

function filtersFor(names: readonly string[], row: Record<string, any>): string[] {
  const isDated = row.occurred_at ?? row.date ?? row.expected_date;
  const days: Record<string, string> = isDated ? { from: '2000-01-01', to: '2099-01-01' } : {};
  const filters = names.flatMap((name) => {
    const value =
      name === 'customer' ? row.customer?.email : (row[name] ?? row[`${name}_id`] ?? days[name]);
    return typeof value === 'string' ? [new URLSearchParams({ [name]: value }).toString()] : [];
  });
  return ['', ...filters];
}
