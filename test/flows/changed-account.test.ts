import { expect } from 'chai';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { openCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { expectRefused } from '../support/contract.ts';
import { memberOf } from '../support/members.ts';
import { callSandboxAsPaystack, newPaystackKey, openAccount } from '../support/paystack-account.ts';
import { approvedRefund, refundsOf, settleRefunds } from '../support/refunds.ts';
import { sandboxAccount } from '../support/sandbox-store.ts';
import { useStack, withNewTenant } from '../support/stack.ts';

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
    const changeKey = () => change(old.id, { credentials: { secret_key: otherKey } });
    expectRefused(await changeKey(), 'invalid_state'); // while charges are open
    await stack.control.pay(paid!.reference);
    await stack.settle();
    const refused = await changeKey();
    expectRefused(refused, 'invalid_state');
    expect(refused.json.error.message).to.include('Disable it').and.include(slot);

    await change(old.id, { status: 'disabled' });
    const body = { provider: slot, credentials: { secret_key: otherKey } };
    const added = await stack.api.post('/connections', body, owner);
    expect(added.status, added.text).to.equal(201);
    expectRefused(await change(old.id, { status: 'enabled' }), 'invalid_state');
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
    const refunds = await refundsOf(stack, open!);
    expect(refunds.map(({ status }) => status)).to.deep.equal(['completed']);

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
    const fresh = await withNewTenant(stack);
    const as = { key: (await memberOf(fresh, fresh.tenant, 'owner')).token };
    const { data } = (await stack.api.get('/connections', as)).json;
    const { id } = data.find(({ provider }: { provider: string }) => provider === slot);
    await openCharge(fresh, { provider: slot });
    const credentials = { secret_key: newPaystackKey() };
    const account = sandboxAccount(stack, id);
    stack.sandbox.store.account.change(account, { secretKey: credentials.secret_key });
    const answer = await stack.api.send('PATCH', `/connections/${id}`, { credentials }, as);
    expect(answer.status, answer.text).to.equal(200);
  });
});
