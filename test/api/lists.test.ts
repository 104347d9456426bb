import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { newId } from '../../domain/shared/ids.ts';
import { newCharge } from '../support/charges.ts';
import { expectError } from '../support/contract.ts';
import { publish } from '../support/deliveries.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { memberOf } from '../support/members.ts';
import { nameOf, pathOf } from '../support/route-calls.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { entries } from './access-table.ts';

const lists = routes.filter(
  ({ query }) => 'cursor' in ((query?.properties ?? {}) as Record<string, unknown>),
);
const topLevel = lists.filter(({ path }) => !path.includes(':'));

/** What both modes of a tenant share. */
const modeless = ['/members'];

describe('Every list', () => {
  let stack: Stack;
  let key: string;
  let reference: string;
  let membersCursor: string;
  before(async () => {
    stack = await startStack({ workers: false });
    key = (await memberOf(stack, stack.tenant, 'owner')).token;
    ({ reference } = await newCharge(stack));
    for (const { subject } of Object.values(entries)) await subject?.(stack);
    await publish(stack);
    await stack.context.db.query(
      `update events set body = (select body from events where body <> '{}' limit 1)`,
    );
    await nothingHeldBack(stack);
    membersCursor = (await stack.api.get('/members?limit=1', { key })).json.next_cursor;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  for (const route of lists.filter(({ path }) => path !== '/settlements/:id/transactions')) {
    it(`refuses at ${nameOf(route)} the cursor of another list`, async () => {
      const path = pathOf(route, reference, stack.clock());
      const foreign = route.path === '/members' ? [] : [membersCursor];
      for (const cursor of ['x', '%00', `${membersCursor}0`, ...foreign]) {
        const refused = await stack.api.get(`${path}?cursor=${cursor}`, { key });
        expectError(refused, 422, 'validation_failed', ['cursor']);
      }
    });
  }

  for (const { path, query } of topLevel) {
    it(`shows at GET ${path}, for every filter, only rows of the tenant and mode`, async () => {
      const all = (await stack.api.get(path, { key })).json;
      const others = [
        await memberOf(stack, await stack.newTenant(), 'owner'),
        ...(modeless.includes(path) ? [] : [await memberOf(stack, stack.tenant, 'owner', 'live')]),
      ];
      const ids = new Set(all.data.map(({ id }: { id: string }) => id));
      expect(ids).not.to.have.property('size', 0);
      for (const search of filtersFor(Object.keys(query!.properties as object), all.data[0])) {
        const own = (await stack.api.get(`${path}?${search}`, { key })).json;
        expect(own.data, search).not.to.deep.equal([]);
        expect(own.tenant_id).to.equal(stack.tenant.tenant_id);
        for (const { token } of others) {
          const { status, json } = await stack.api.get(`${path}?${search}`, { key: token });
          expect(status).to.equal(200);
          expect(
            json.data.filter(({ id }: { id: string }) => ids.has(id)),
            search,
          ).to.deep.equal([]);
        }
      }
    });

    it(`has at GET ${path} an empty page for a tenant without rows`, async () => {
      const tenant_id = newId('ten', stack.clock());
      await stack.context.db.query(
        `insert into tenants (id, name, created_at) values ($1, 'New Store', $2)`,
        [tenant_id, stack.clock()],
      );
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

/** No filter, and then each filter with the value of a row of the list. */
function filtersFor(names: readonly string[], row: Record<string, any>): string[] {
  const filters = names.flatMap((name) => {
    const value = name === 'customer' ? row.customer?.email : (row[name] ?? row[`${name}_id`]);
    return typeof value === 'string' ? [new URLSearchParams({ [name]: value }).toString()] : [];
  });
  return ['', ...filters];
}
