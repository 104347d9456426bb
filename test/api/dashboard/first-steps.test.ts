import { expect } from 'chai';
import { newCharge, putCharge } from '../../support/charges.ts';
import { connect } from '../../support/connect.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { addEndpoint } from '../../support/deliveries.ts';
import { unescaped } from '../../support/html.ts';
import { insertRow } from '../../support/insert-row.ts';
import { useStack } from '../../support/stack.ts';

const WORDS = {
  provider: 'Connect a payment provider',
  proof: 'Prove the connection',
  endpoint: 'Add a webhook endpoint',
  key: 'Make an API key',
  payment: 'Take a first payment',
};

describe('The overview of a business without a payment', () => {
  const stack = useStack({ workers: false, newTenants: { connected: false } });
  let owner: DashboardBrowser;
  beforeEach(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
    await stack.sql`delete from webhook_endpoints where tenant_id = ${stack.tenant.tenant_id}`;
  });

  /** Each step with its badge, a link marked by its path. */
  async function stepsOf(who = owner): Promise<Record<string, string>> {
    const { html } = await who.get('/');
    const items = html.match(/<li class="list-group-item">.*?<\/li>/gs) ?? [];
    const found = items.flatMap((item) =>
      Object.entries(WORDS).flatMap(([step, title]) => {
        if (!unescaped(item).includes(title)) return [];
        const badge = /status-\w+">(\w+)</.exec(item)![1]!;
        const path = /href="\/dashboard([^"]*)"/.exec(item)?.[1];
        return [[step, path ? `${badge} ${path}` : badge]];
      }),
    );
    return Object.fromEntries(found);
  }

  it('leads from each step to the next, in its mode, until the payment is there', async () => {
    const { tenant_id: tenantId } = stack.tenant;
    const endpoint = 'Missing /developers#endpoints-title';
    const payment = 'Missing /payment-links';
    expect(await stepsOf()).to.deep.equal({
      provider: 'Next /providers',
      proof: 'Missing /providers',
      ...{ endpoint, key: 'Done', payment },
    });
    expect((await owner.get('/')).html).not.to.include('Nothing needs a person');

    const connectionId = await connect(stack, tenantId);
    const connected = { provider: 'Done', proof: 'Next /providers' };
    expect(await stepsOf()).to.deep.equal({ ...connected, endpoint, key: 'Done', payment });

    const task = { id: 'ctk_1', connection_id: connectionId, task: 'payments' };
    await insertRow(stack, 'connection_tasks', { ...task, done_at: stack.clock() });
    await addEndpoint(stack);
    await stack.sql`update api_keys set revoked_at = now()
      where tenant_id = ${tenantId} and mode = 'test' and kind = 'public'`;
    const done = { provider: 'Done', proof: 'Done', endpoint: 'Done', key: 'Done' };
    expect(await stepsOf()).to.deep.equal({ ...done, payment: 'Next /payment-links' });

    await stack.sql`update api_keys set expires_at = ${stack.clock()}
      where tenant_id = ${tenantId} and mode = 'test' and revoked_at is null`;
    expect((await stepsOf()).key, 'the last one was rotated out').to.match(/^Next /);
    await stack.sql`update api_keys set expires_at = null where tenant_id = ${tenantId}`;

    const charge = await newCharge(stack);
    await putCharge(stack, charge, 'succeeded');
    await stack.sql`insert into figure_changes (tenant_id, mode, at, slot, succeeded)
      values (${tenantId}, 'test', ${stack.clock()}, 'provider_a', 1)`;
    expect(await stepsOf()).to.deep.equal({});
    expect((await owner.get('/')).html).to.include('Nothing needs a person');

    await owner.post('/mode', { csrf: csrfOf(owner) });
    expect(Object.keys(await stepsOf()), 'in live mode').to.have.members(Object.keys(WORDS));
  });

  it('leads nobody to what their role may not do', async () => {
    for (const [role, steps] of [
      ['developer', ['endpoint', 'payment']],
      ['viewer', []],
    ] as const) {
      const seen = await stepsOf(await dashboardMember(stack, stack.tenant, role));
      const led = Object.entries(seen).filter(([, shown]) => shown.includes('/'));
      expect(
        led.map(([step]) => step),
        role,
      ).to.deep.equal(steps);
    }
  });
});
