import { expect } from 'chai';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { expectError } from '../support/contract.ts';
import { memberOf } from '../support/members.ts';
import { callSandboxAsPaystack, newPaystackKey, openAccount } from '../support/paystack-account.ts';
import { approvedRefund, refundsOf, settleRefunds } from '../support/refunds.ts';
import { sandboxAccount } from '../support/sandbox-store.ts';
import { type Stack, useStack } from '../support/stack.ts';

const slot = 'provider_a';

describe('A merchant who changes their account at a provider', () => {
  const stack = useStack({ payouts: true });
  let owner: { key: string };
  before(async () => {
    callSandboxAsPaystack(stack);
    owner = { key: (await memberOf(stack, stack.tenant, 'owner')).token };
  });

  const connections = async () =>
    (await stack.api.get('/connections', owner)).json.data.filter(
      ({ provider }: { provider: string }) => provider === slot,
    );
  const change = (id: string, body: object) =>
    stack.api.send('PATCH', `/connections/${id}`, body, owner);

  it('is refused its key in the old connection, adds a connection, and loses sight of no kobo', async () => {
    const [old] = await connections();
    const [paid, open, unpaid] = await Promise.all(
      [1, 2, 3].map(() => openCharge(stack, { provider: slot })),
    );
    const otherKey = await openAccount(stack);
    const refusedWhileOpen = await change(old.id, { credentials: { secret_key: otherKey } });
    expectError(refusedWhileOpen, 409, 'invalid_state');
    await stack.control.pay(paid!.reference);
    await stack.settle();
    const refused = await change(old.id, { credentials: { secret_key: otherKey } });
    expectError(refused, 409, 'invalid_state');
    expect(refused.json.error.message).to.include('Disable it').and.include(slot);

    await change(old.id, { status: 'disabled' });
    const added = await stack.api.post(
      '/connections',
      { provider: slot, credentials: { secret_key: otherKey } },
      owner,
    );
    expect(added.status, added.text).to.equal(201);
    expectError(await change(old.id, { status: 'enabled' }), 409, 'invalid_state');
    await runHousekeeping(stack.context);

    const next = await openCharge(stack, { provider: slot });
    const [attempt] = (await stored(stack, next)).attempts;
    expect(attempt!.connection_id).to.equal(added.json.id);

    await stack.pass(20 * MINUTE);
    await stack.control.pay(open!.reference, { notify: false });
    await stack.control.pay(next.reference, { notify: false });
    for (let minute = 0; minute < 2; minute++) await stack.pass(MINUTE);
    for (const charge of [paid!, open!, next])
      expect(await stored(stack, charge)).to.include({ status: 'succeeded' });

    await approvedRefund(stack, open!, 40_000);
    await settleRefunds(stack);
    expect((await refundsOf(stack, open!)).map(({ status }) => status)).to.deep.equal([
      'completed',
    ]);

    await stack.pass(DAY);
    expect(await stored(stack, unpaid!)).to.include({ status: 'failed', failure_cause: 'expired' });
    await stack.control.settle(sandboxAccount(stack, old.id).id);
    await stack.pass(HOUR);
    const { data } = (await stack.api.get('/settlements?status=landed')).json;
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ provider: slot, shortfall_kobo: 0 });
    expect(await stored(stack, paid!)).to.include({ status: 'settled' });
  });

  it('may change the key of the same account', async () => {
    const tenant = await stack.newTenant();
    const as = { key: (await memberOf(stack, tenant, 'owner')).token };
    const { data } = (await stack.api.get('/connections', as)).json;
    const { id } = data.find(({ provider }: { provider: string }) => provider === slot);
    const body = { provider: slot };
    await newCharge(
      { ...stack, api: { ...stack.api, post: withKey(tenant.secret_key_test) } },
      body,
    );
    await stack.settle();
    const rolled = newPaystackKey();
    stack.sandbox.store.account.change(sandboxAccount(stack, id), { secretKey: rolled });
    const answer = await stack.api.send(
      'PATCH',
      `/connections/${id}`,
      { credentials: { secret_key: rolled } },
      as,
    );
    expect(answer.status, answer.text).to.equal(200);
  });

  const withKey =
    (key: string): Stack['api']['post'] =>
    (path, json, options) =>
      stack.api.post(path, json, { key, ...options });
});
