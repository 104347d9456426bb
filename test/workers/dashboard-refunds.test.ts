import { expect } from 'chai';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE } from '../support/clock.ts';
import { connectionOf } from '../support/provider-account.ts';
import { eventsOf, refundsOf, settleRefunds } from '../support/refunds.ts';
import { sandboxAccount } from '../support/sandbox-store.ts';
import { useStack } from '../support/stack.ts';

describe('A refund made in the provider’s own dashboard', () => {
  const stack = useStack();
  afterEach(() => stack.control.faults());

  const listed = async () => {
    await stack.sandbox.tick();
    for (let hour = 0; hour < 2; hour++) await settleRefunds(stack, HOUR + MINUTE);
    return stack.sql`select connection_id from listed_refunds where not is_recorded`;
  };

  it('is recorded with origin provider when the provider notifies us, with its event', async () => {
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
  });

  it('is found in the list of all refunds where the provider lists none by payment', async () => {
    const charge = await paidCharge(stack, { provider: 'provider_b' });
    await runHousekeeping(stack.context);
    await stack.settle();
    await stack.control.faults({ drop_notifications: true });
    await stack.control.refundNow(charge.reference, 30_000);
    expect(await listed(), 'asked about once').to.deep.equal([]);
    const [refund, ...more] = await refundsOf(stack, charge);
    expect(refund).to.include({ origin: 'provider', status: 'completed', amount_kobo: 30_000 });
    expect(more).to.deep.equal([]);
    expect(await eventsOf(stack, refund!)).to.have.length(1);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 30_000 });
  });

  it('of a payment that is not ours is listed and left alone', async () => {
    const connectionId = await connectionOf(stack, 'provider_b');
    const theirs = { provider: 'flutterwave', reference: 'INVOICE-7', amount_kobo: 80_000 };
    await stack.control.stranger(sandboxAccount(stack, connectionId).id, theirs);
    await runHousekeeping(stack.context);
    await stack.settle();
    await stack.control.refundNow(theirs.reference, 31_000);
    expect(await listed()).to.deep.equal([{ connection_id: connectionId }]);
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
