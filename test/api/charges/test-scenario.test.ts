import { expect } from 'chai';
import { testScenarios } from '../../../domain/shared/test-scenarios.ts';
import type { CallOptions } from '../../support/api.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { connect } from '../../support/connect.ts';
import { expectRefusal } from '../../support/contract.ts';
import { answerNext, interceptCalls } from '../../support/intercept.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

describe('Test-Scenario of POST /charges', () => {
  const stack = useStack({ newTenants: true });
  interceptCalls();

  const order = { amount_kobo: 10_000, email: 'ada@example.com' };
  const create = (scenario: string, { provider = 'auto', ...options }: Options = {}) =>
    stack.api.post(
      '/charges',
      { ...order, provider },
      { ...options, headers: { 'Test-Scenario': scenario } },
    );
  type Options = CallOptions & { provider?: string };

  const leaveSandbox = (...slots: string[]) =>
    stack.sql`update connections set sandbox = false where tenant_id = ${stack.tenant.tenant_id}
      and slot = any(${slots})`;

  async function expectNoScenario(scenario: string, options?: Options) {
    const send = () => create(scenario, options);
    const { json } = await expectRefusal(stack, send, 'validation_failed', ['Test-Scenario']);
    const { fields } = json.error;
    for (const value of testScenarios) expect(fields['Test-Scenario']).to.include(value);
  }

  it('is refused when we know no such scenario', async () => {
    for (const scenario of ['', 'PAID', 'paid, declined', 'constructor', 'x'.repeat(5_000)])
      await expectNoScenario(scenario);
  });

  it('is refused in live mode', async () => {
    await connect(stack, stack.tenant.tenant_id, { mode: 'live' });
    await expectNoScenario('paid', { key: stack.tenant.secret_key_live });
  });

  it('is refused on a connection to the provider’s own test environment', async () => {
    await leaveSandbox('provider_b');
    await expectNoScenario('paid', { provider: 'provider_b' });
    await leaveSandbox('provider_a', 'provider_c');
    await expectNoScenario('paid');
  });

  it('goes to the first connection to the sandbox, and to no other when that one refuses', async () => {
    await leaveSandbox('provider_a', 'provider_c');
    answerNext('POST', `${stack.sandbox.url}/flutterwave/payments`).with(400, {
      ...{ status: 'error', message: 'Merchant is not enabled for NGN', data: null },
    });
    const { json } = await create('paid');
    expect(json.provider).to.equal('provider_b');
    await stack.settle();
    const { status, attempts } = await stored(stack, json);
    expect([status, ...attempts.map((each) => each.status)]).to.deep.equal(['failed', 'refused']);
  });

  it('happens once when the request is repeated under its key, which stands for no other scenario', async () => {
    const idempotencyKey = 'order-1';
    const [{ json }] = await runTwice(stack, async () => {
      const created = await create('paid', { idempotencyKey });
      await stack.settle();
      return created;
    });
    const plain = () =>
      stack.api.post('/charges', { ...order, provider: 'auto' }, { idempotencyKey });
    for (const send of [plain, () => create('declined', { idempotencyKey })])
      await expectRefusal(stack, send, 'idempotency_conflict');
    await stack.settle();
    for (let step = 0; step < 2; step++) await stack.pass(500);
    const { status, captures } = await stored(stack, json);
    expect({ status, captures: captures.length }).to.deep.equal({
      status: 'succeeded',
      captures: 1,
    });
  });

  it('leaves a charge without it to its payer', async () => {
    const charge = await newCharge(stack);
    await stack.settle();
    for (let step = 0; step < 2; step++) await stack.pass(500);
    expect(await stored(stack, charge)).to.include({ status: 'pending', test_scenario: null });
  });

  it('is over when a declined payer tries again', async () => {
    const { json } = await create('declined');
    await stack.settle();
    await stack.pass(500);
    expect(await stored(stack, json)).to.include({ status: 'failed', retrying: false });
    expect(
      (await fetch(json.checkout_url, { method: 'POST', redirect: 'manual' })).status,
    ).to.equal(303);
    await stack.settle();
    for (let step = 0; step < 2; step++) await stack.pass(500);
    expect(await stored(stack, json)).to.include({ status: 'failed', retrying: true });
  });
});
