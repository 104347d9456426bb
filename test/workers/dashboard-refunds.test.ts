import { expect } from 'chai';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE } from '../support/clock.ts';
import { connectionOf } from '../support/provider-account.ts';
import {
  eventsOf,
  refundRow,
  refundsOf,
  refundsTaken,
  settleRefunds,
  unsentRefund,
} from '../support/refunds.ts';
import { sandboxAccount } from '../support/sandbox-store.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('A refund made in the provider’s own dashboard', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(async () => {
    await stack.control.faults();
    await expectNoLeaks(stack);
  });

  it('is recorded with origin provider when the provider notifies us, with its event and the amount left', async () => {
    const charge = await paidCharge(stack);
    await stack.control.refundNow(charge.reference, 60_000);
    await settleRefunds(stack);
    const [adopted, ...others] = await refundsOf(stack, charge);
    expect(others).to.deep.equal([]);
    expect(adopted).to.include({ origin: 'provider', status: 'completed', amount_kobo: 60_000 });
    expect(await eventsOf(stack, adopted!)).to.deep.equal([
      { type: 'refund.completed', data: adopted },
    ]);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 60_000 });
    const { status, json } = await stack.api.post('/refunds', {
      reference: charge.reference,
      amount_kobo: 40_001,
      reason: 'Too much',
    });
    expect([status, json.error.fields.amount_kobo]).to.deep.equal([
      422,
      'is more than what is still refundable: ₦400.00 (40000 kobo)',
    ]);
  });

  it('is found without a notification before ours is sent: together they never exceed the payment', async () => {
    const takenBefore = await refundsTaken(stack);
    const charge = await paidCharge(stack);
    const refund = await unsentRefund(stack, charge, 50_000);
    await stack.control.faults({ drop_notifications: true });
    await stack.control.refundNow(charge.reference, 60_000);
    await settleRefunds(stack, MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'failed' });
    expect((await refundRow(stack, refund)).failure_message).to.include(
      '₦400.00 of the payment is left',
    );
    await settleRefunds(stack, MINUTE);
    expect(
      (await refundsOf(stack, charge)).map(({ origin, status }) => [origin, status]),
    ).to.deep.equal([
      ['merchant', 'failed'],
      ['provider', 'completed'],
    ]);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 60_000 });
    expect((await refundsTaken(stack)) - takenBefore, 'the dashboard’s own').to.equal(1);
  });

  it('is found in the list of all refunds where the provider lists none by payment', async () => {
    const charge = await paidCharge(stack, { provider: 'provider_b' });
    await runHousekeeping(stack.context);
    await stack.settle();
    await stack.control.faults({ drop_notifications: true });
    await stack.control.refundNow(charge.reference, 30_000);
    await stack.sandbox.tick();
    for (let hour = 0; hour < 2; hour++) await settleRefunds(stack, HOUR + MINUTE);
    const refunds = await refundsOf(stack, charge);
    expect(
      refunds.map(({ origin, status, amount_kobo }) => [origin, status, amount_kobo]),
    ).to.deep.equal([['provider', 'completed', 30_000]]);
    expect(await eventsOf(stack, refunds[0]!)).to.have.length(1);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 30_000 });
    const [left] = await stack.context.db.query<{ count: number }>(
      'select count(*)::int as count from listed_refunds where not is_recorded',
    );
    expect(left!.count, 'asked about once').to.equal(0);
  });

  it('of a payment that is not ours is listed and left alone', async () => {
    const connectionId = await connectionOf(stack, 'provider_b');
    const theirs = { provider: 'flutterwave', reference: 'INVOICE-7', amount_kobo: 80_000 };
    await stack.control.stranger(sandboxAccount(stack, connectionId).id, theirs);
    await runHousekeeping(stack.context);
    await stack.settle();
    await stack.control.refundNow(theirs.reference, 31_000);
    await stack.sandbox.tick();
    for (let hour = 0; hour < 2; hour++) await settleRefunds(stack, HOUR + MINUTE);
    const listed = await stack.context.db.query(
      'select 1 from listed_refunds where connection_id = $1 and not is_recorded',
      [connectionId],
    );
    expect(listed).to.have.length(1);
    const { json } = await stack.api.get('/refunds?limit=100');
    expect(json.data.filter(({ amount_kobo: kobo }: any) => kobo === 31_000)).to.deep.equal([]);
  });

  it('is one refund when the provider notifies us of the whole payment twice at once', async () => {
    await stack.control.faults({ duplicate_notifications: true });
    const charge = await paidCharge(stack);
    await stack.control.refundNow(charge.reference);
    await settleRefunds(stack);
    await settleRefunds(stack, MINUTE);
    expect(await refundsOf(stack, charge)).to.have.length(1);
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 100_000 });
  });
});
