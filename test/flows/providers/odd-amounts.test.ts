import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { sandboxRefunds } from '../../support/sandbox-store.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment of the wrong amount', (fixture) => {
  const { stack, name, pass, decide, refunds, together } = fixture;
  const { expectStored, expectTransaction, expectWebhooks } = fixture;
  const byCardStays = name === 'monnify';
  let accepted: Checkout;
  let returned: Checkout;
  let over: Checkout;
  let byCard: Checkout;
  before(async () => {
    const [less, more] = [{ amount_kobo: 60_000 }, { amount_kobo: 150_000 }];
    [accepted, returned, over, byCard] = await together([
      ...([less, less, more, { ...less, channel: 'card' }] as const),
    ]);
  });

  const expectSentBack = async (charge: Checkout, kobo: number) => {
    await pass(3 * SECOND);
    expect(await refunds(charge)).to.deep.equal([`system completed ${kobo}`]);
    const seen = sandboxRefunds(stack, charge);
    expect(seen.map(({ amountKobo, status }) => [amountKobo, status])).to.deep.equal([
      [kobo, 'completed'],
    ]);
    await expectStored(charge, { refunded_kobo: 0, review: [] });
  };

  it('is refunded when it is too small and returned, and the charge stays open', async () => {
    await expectStored(returned, { status: 'pending', review: ['underpaid'] });
    const decided = await decide(returned, 'return');
    expect(decided).to.include({ reason: 'underpaid', status: 'returned', amount_kobo: 60_000 });
    await expectSentBack(returned, 60_000);
    await expectStored(returned, { status: 'pending' });
  });

  it('completes the charge when it is too large; only the excess is refunded when returned', async () => {
    await expectStored(over, { status: 'succeeded', review: ['overpaid'], amount_kobo: 100_000 });
    const decided = await decide(over, 'return');
    expect(decided).to.include({ reason: 'overpaid', status: 'returned', amount_kobo: 50_000 });
    await expectSentBack(over, 50_000);
    await expectTransaction(over, { status: 'succeeded', refunded_kobo: 0 });
    expectWebhooks(over, 'charge.succeeded');
  });

  it('stays in review when the provider cannot refund it', async () => {
    await decide(byCard, 'return');
    if (!byCardStays) return expectSentBack(byCard, 60_000);
    expect(await refunds(byCard)).to.deep.equal(['system failed 60000']);
    await expectStored(byCard, { status: 'pending', review: ['extra_capture'] });
  });

  it('keeps the charge pending past its end while it is too small and undecided; accepted, it completes the charge', async () => {
    await pass(DAY + MINUTE);
    await expectStored(accepted, { status: 'pending', review: ['underpaid'] });
    expectWebhooks(accepted);
    const decided = await decide(accepted, 'accept');
    expect(decided).to.include({ reason: 'underpaid', status: 'accepted', amount_kobo: 60_000 });
    const paid = { amount_kobo: 100_000, provider: fixture.slot };
    await expectTransaction(accepted, { status: 'succeeded', ...paid });
    expectWebhooks(accepted, 'charge.succeeded');
  });

  it('no longer delays the end of the charge once it is decided', async () => {
    for (const charge of [returned, byCard]) {
      await expectStored(charge, { status: 'failed', failure_cause: 'expired' });
      expectWebhooks(charge, 'charge.failed');
    }
    if (!byCardStays) return;
    const decided = await decide(byCard, 'accept');
    expect(decided).to.include({ status: 'accepted', amount_kobo: 60_000 });
    await expectStored(byCard, { status: 'failed', review: [] });
  });

  it('once returned, can be paid at once: the payer gets a new link, and its payment completes the charge', async () => {
    const [charge] = await together([{ amount_kobo: 60_000 }]);
    expect(await fixture.visit(charge), 'while a person decides').to.equal(undefined);
    await decide(charge, 'return');
    for (let step = 0; step < 2; step++) await pass(3 * SECOND);
    await fixture.visit(charge);
    await stack.settle();
    expect(await fixture.visit(charge)).to.be.a('string');
    await fixture.pay(charge);
    await expectTransaction(charge, { status: 'succeeded', refunded_kobo: 0 });
    expectWebhooks(charge, 'charge.succeeded');
  });
});
