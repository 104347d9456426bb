import { expect } from 'chai';
import { sealCredentials } from '../../domain/tenant/connection.ts';
import { findConnectionAt } from '../../domain/tenant/connections.ts';
import { openCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { approvedRefund, settleRefunds } from '../support/refunds.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

const providers = [
  { slot: 'provider_a', name: 'paystack' },
  { slot: 'provider_b', name: 'flutterwave' },
  { slot: 'provider_c', name: 'monnify' },
] as const;

describe('Every provider', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(async () => {
    await stack.control.faults();
    await expectNoLeaks(stack);
  });

  const webhooksOf = ({ reference }: { reference: string }) =>
    stack.receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.reference === reference);
  const payable = async (slot: string) => {
    const charge = await openCharge(stack, { provider: slot, amount_kobo: 250_050 });
    const [attempt, ...others] = (await stored(stack, charge)).attempts;
    expect([attempt!.slot, attempt!.status, others]).to.deep.equal([slot, 'open', []]);
    return charge;
  };
  const completed = async ({ reference }: { reference: string }) => {
    const { json } = await stack.api.get(`/charges/${reference}`);
    expect(json.status).to.equal('completed');
    return json.transaction;
  };

  for (const { slot, name } of providers) {
    describe(name, () => {
      it('collects: the payment is opened, paid, told to us and to the merchant once', async () => {
        const charge = await payable(slot);
        await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
        await stack.settle();
        const { captures, status } = await stored(stack, charge);
        expect([status, captures.length]).to.deep.equal(['succeeded', 1]);
        const transaction = await completed(charge);
        expect(transaction).to.include({
          status: 'succeeded',
          amount_kobo: 250_050,
          provider: slot,
          channel: 'bank_transfer',
          recovered: false,
        });
        expect(transaction.net_kobo).to.equal(250_050 - transaction.fee_kobo);
        expect(transaction.fee_kobo).to.be.greaterThan(0);
        expect(webhooksOf(charge).map(({ type, data }) => [type, data])).to.deep.equal([['charge.succeeded', transaction]]);
      });

      it('is asked when it tells nothing', async () => {
        const charge = await payable(slot);
        await stack.control.pay(charge.reference, { notify: false });
        stack.clock.advance(10 * MINUTE);
        await stack.settle();
        expect((await stored(stack, charge)).status).to.equal('succeeded');
      });

      it('sends a refund back, and says when it is done', async () => {
        const charge = await payable(slot);
        await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
        await stack.settle();
        const refund = await approvedRefund(stack, charge, 100_000);
        await settleRefunds(stack);
        expect((await stack.api.get(`/refunds/${refund.id}`)).json).to.include({ status: 'completed', amount_kobo: 100_000 });
        expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 100_000 });
        expect((await stack.control.stats())[name]!.refunds).to.equal(1);
      });
    });
  }

  it('stands in for the one before it: what the first refuses, the second takes', async () => {
    const { tenant_id: tenantId, secret_key_test: key } = await stack.newTenant();
    const nobody = sealCredentials(stack.context.vault, await connectionOf(tenantId, 'provider_a'), { secret_key: 'sk_test_nobody' });
    await stack.context.db.query(`update connections set credentials = $2 where tenant_id = $1 and slot = 'provider_a'`, [
      tenantId,
      nobody,
    ]);
    const { json: charge } = await stack.api.post('/charges', { amount_kobo: 100_000, email: 'ada@example.com' }, { key });
    await stack.settle();
    const { attempts } = await stored(stack, charge);
    expect(attempts.map(({ slot, status }) => [slot, status])).to.deep.equal([
      ['provider_a', 'refused'],
      ['provider_b', 'open'],
    ]);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const { json } = await stack.api.get(`/charges/${charge.reference}`, { key });
    expect(json.transaction).to.include({ status: 'succeeded', provider: 'provider_b' });
  });

  const connectionOf = async (tenantId: string, slot: 'provider_a') =>
    (await findConnectionAt(stack.context.db, { tenantId, mode: 'test' }, slot))!;
});
