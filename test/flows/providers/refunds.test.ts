import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { DAY, SECOND } from '../../support/clock.ts';
import { approvedRefund, type Refund } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

const kinds = ['whole', 'part', 'failing', 'needsAttention', 'card'] as const;
type Each<What> = Record<(typeof kinds)[number], What>;

function each<What>(values: readonly What[]): Each<What> {
  return Object.fromEntries(kinds.map((kind, index) => [kind, values[index]])) as Each<What>;
}

describeForEachProvider('A refund', (fixture) => {
  const { stack, pass, history, expectTransaction, expectWebhooks } = fixture;
  const refundsNoCards = fixture.name === 'monnify';
  let charges: Each<Checkout>;
  let refunds: Each<Refund>;
  let sent: number;
  before(async () => {
    const ways = kinds.map((kind) => (kind === 'card' ? { channel: 'card' } : {}));
    charges = each(await fixture.together(ways));
    const counted = await fixture.counting();
    await stack.control.planRefund(charges.failing.reference, 'failed');
    await stack.control.planRefund(charges.needsAttention.reference, 'needs-attention');
    const amountOf = (kind: string) => (kind === 'part' ? 30_000 : undefined);
    const requested = await Promise.all(
      kinds.map((kind) => approvedRefund(stack, charges[kind], amountOf(kind))),
    );
    await finish();
    refunds = each(await Promise.all(requested.map(read)));
    sent = (await counted()).refunds;
  });

  const read = async ({ id }: Refund): Promise<Refund> =>
    (await stack.api.get(`/refunds/${id}`)).json;
  const finish = async () => {
    await stack.settle();
    for (let step = 0; step < 2; step++) await pass(3 * SECOND);
  };
  const again = async (charge: Checkout) => {
    const refund = await approvedRefund(stack, charge);
    await finish();
    return read(refund);
  };

  it('is sent once', () => {
    expect(sent).to.equal(refundsNoCards ? 4 : 5);
  });

  it('of the whole payment makes the charge refunded, with one webhook', async () => {
    const completed = { status: 'completed', amount_kobo: 100_000 };
    expect(refunds.whole).to.include({ ...completed, origin: 'merchant', attention: null });
    await expectTransaction(charges.whole, { status: 'refunded', refunded_kobo: 100_000 });
    expectWebhooks(charges.whole, 'charge.succeeded', 'refund.completed');
    expect((await history(charges.whole)).slice(3)).to.deep.equal([
      ...['refund.requested', 'refund.approved', 'refund.processing'],
      ...['refund.accepted', 'refund.completed', 'charge.refunded'],
    ]);
  });

  it('of a part leaves the charge succeeded; the last part makes it refunded', async () => {
    expect(refunds.part).to.include({ status: 'completed', amount_kobo: 30_000 });
    await expectTransaction(charges.part, { status: 'succeeded', refunded_kobo: 30_000 });
    expect(await again(charges.part)).to.include({ status: 'completed', amount_kobo: 70_000 });
    await expectTransaction(charges.part, { status: 'refunded', refunded_kobo: 100_000 });
    expect(await fixture.refunds(charges.part)).to.deep.equal(
      [30_000, 70_000].map((kobo) => `merchant completed ${kobo}`),
    );
  });

  it('that fails at the provider shows why, frees its amount, and may be requested again', async () => {
    expect(refunds.failing.status).to.equal('failed');
    expect(refunds.failing.failure_message).to.match(/^[A-Z][a-z].+/);
    await expectTransaction(charges.failing, { status: 'succeeded', refunded_kobo: 0 });
    expect(await again(charges.failing)).to.include({ status: 'completed' });
    expectWebhooks(charges.failing, 'charge.succeeded', 'refund.failed', 'refund.completed');
  });

  it('of a card payment completes, or fails with a reason where the provider refunds no cards', async () => {
    if (!refundsNoCards) return void expect(refunds.card).to.include({ status: 'completed' });
    const words = 'Monnify does not refund this payment: it refunds bank transfers only.';
    expect(refunds.card).to.include({ status: 'failed', failure_message: words });
    await fixture.expectStored(charges.card, { status: 'succeeded' });
    expectWebhooks(charges.card, 'charge.succeeded', 'refund.failed');
  });

  it('that needs attention at the provider stays processing, without a webhook', async () => {
    const { status, attention } = refunds.needsAttention;
    expect(status).to.equal('processing');
    // The other providers have no such status: theirs is a refund that is not completed yet.
    if (fixture.name === 'paystack') expect(attention.reason).to.match(/^[A-Z][a-z].+/);
    else expect(attention).to.equal(null);
    await pass(21 * DAY);
    const late = await read(refunds.needsAttention);
    expect(late.status).to.equal('processing');
    expect(late.attention.reason, 'after 20 days').to.match(/^[A-Z][a-z].+/);
    expectWebhooks(charges.needsAttention, 'charge.succeeded');
  });
});
