import { expect } from 'chai';
import { cursorOf, readCursor } from '../../../api/http/cursor.ts';
import type { Caller } from '../../../api/middleware/authenticate.ts';
import { routes } from '../../../api/routes.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { newCharge } from '../../support/charges.ts';
import { expectError } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { nameOf, pathOf } from '../../support/route-calls.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

const caller = { tenantId: 'ten_1', mode: 'test' } as Caller;

describe('A cursor', () => {
  it('is read back by the list that gave it', () => {
    const cursor = cursorOf(caller, 'refunds', 'ref_1');
    expect(readCursor(caller, 'refunds', cursor)).to.equal('ref_1');
  });

  it('is refused by another list, tenant or mode, and when it is changed', () => {
    const cursor = cursorOf(caller, 'refunds', 'ref_1');
    const foreign: [Caller, list: string, cursor: string][] = [
      [caller, 'members', cursor],
      [{ ...caller, tenantId: 'ten_2' }, 'refunds', cursor],
      [{ ...caller, mode: 'live' }, 'refunds', cursor],
      [caller, 'refunds', `x${cursor}`],
      [caller, 'refunds', Buffer.from('ref_1').toString('base64url')],
      [caller, 'refunds', ''],
    ];
    for (const [who, list, sent] of foreign)
      expect(() => readCursor(who, list, sent, 'after'))
        .to.throw(Problem)
        .with.deep.property('fields', {
          after: 'must be the next_cursor of an earlier page of this list',
        });
  });
});

/** Every list that can be called without making anything first. */
const lists = routes.filter(
  ({ path, query }) =>
    'cursor' in ((query?.properties ?? {}) as object) && path !== '/settlements/:id/transactions',
);

describe('A list', () => {
  let stack: Stack;
  let owner: SignedIn;
  let reference: string;
  let membersCursor: string;
  before(async () => {
    stack = await startStack({ workers: false });
    owner = await memberOf(stack, stack.tenant, 'owner');
    ({ reference } = await newCharge(stack));
    const { json } = await stack.api.get('/members?limit=1', { key: owner.token });
    membersCursor = json.next_cursor;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  for (const route of lists) {
    it(`refuses at ${nameOf(route)} a cursor that this list did not give`, async () => {
      const path = pathOf(route, reference, stack.clock());
      const foreign = route.path === '/members' ? [] : [membersCursor];
      for (const cursor of ['x', '%00', `${membersCursor}0`, ...foreign]) {
        const refused = await stack.api.get(`${path}?cursor=${cursor}`, { key: owner.token });
        expectError(refused, 422, 'validation_failed', ['cursor']);
      }
    });
  }

  for (const { path } of lists.filter((route) => !route.path.includes(':'))) {
    it(`is empty at GET ${path} for a tenant and mode that have nothing`, async () => {
      const tenant = await stack.newTenant({ connected: false });
      const { token, memberId } = await memberOf(stack, tenant, 'owner', 'live');
      if (path === '/api-keys') await deleteKeys(tenant);
      const { status, json } = await stack.api.get(path, { key: token });
      expect([status, json.tenant_id]).to.deep.equal([200, tenant.tenant_id]);
      if (path === '/members') expect(json.data[0].id).to.equal(memberId);
      else expect(json.data).to.deep.equal([]);
      expect('next_cursor' in json, 'next_cursor').to.equal(path === '/events');
    });
  }

  const deleteKeys = ({ tenant_id: tenantId }: { tenant_id: string }) =>
    stack.context.db.query('delete from api_keys where tenant_id = $1', [tenantId]);
});
