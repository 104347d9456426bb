import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, SECOND } from '../../support/clock.ts';
import { approvedRefund, type Refund, refundsOf } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

const kinds = ['whole', 'part', 'failing', 'needsAttention', 'card'] as const;
type Each<What> = Record<(typeof kinds)[number], What>;

describeForEachProvider('A refund', (fixture) => {
  let charges: Each<Checkout>;
  let refunds: Each<Refund>;
  let sent: number;
  before(async () => {
    const paid = await fixture.together(
      kinds.map((kind) => (kind === 'card' ? { channel: 'card' } : {})),
    );
    charges = Object.fromEntries(kinds.map((kind, index) => [kind, paid[index]])) as Each<Checkout>;
    const counted = await fixture.counting();
    await fixture.stack.control.planRefund(charges.failing.reference, 'failed');
    await fixture.stack.control.planRefund(charges.needsAttention.reference, 'needs-attention');
    const requested = await Promise.all(
      kinds.map((kind) =>
        approvedRefund(fixture.stack, charges[kind], kind === 'part' ? 30_000 : undefined),
      ),
    );
    await finish();
    const now = await Promise.all(requested.map(read));
    refunds = Object.fromEntries(kinds.map((kind, index) => [kind, now[index]])) as Each<Refund>;
    sent = (await counted()).refunds;
  });

  const read = async ({ id }: Refund): Promise<Refund> =>
    (await fixture.stack.api.get(`/refunds/${id}`)).json;
  const finish = async () => {
    await fixture.stack.settle();
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
  };
  const again = async (charge: Checkout) => {
    const { id } = await approvedRefund(fixture.stack, charge);
    await finish();
    return read({ id });
  };

  it('is sent once', () => {
    expect(sent).to.equal(fixture.name === 'monnify' ? 4 : 5);
  });

  it('of the whole payment makes the charge refunded, with one webhook', async () => {
    expect(refunds.whole).to.include({
      status: 'completed',
      amount_kobo: 100_000,
      origin: 'merchant',
      attention: null,
    });
    expect((await fixture.read(charges.whole)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(fixture.webhooksOf(charges.whole)).to.deep.equal([
      'charge.succeeded succeeded',
      'refund.completed completed',
    ]);
    expect((await fixture.history(charges.whole)).slice(3)).to.deep.equal([
      ...[
        'refund.requested',
        'refund.approved',
        'refund.processing',
        'refund.accepted',
        'refund.completed',
        'charge.refunded',
      ],
    ]);
  });

  it('of a part leaves the charge succeeded; the last part makes it refunded', async () => {
    expect(refunds.part).to.include({ status: 'completed', amount_kobo: 30_000 });
    expect((await fixture.read(charges.part)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 30_000,
    });
    expect(await again(charges.part)).to.include({ status: 'completed', amount_kobo: 70_000 });
    expect((await fixture.read(charges.part)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(
      (await refundsOf(fixture.stack, charges.part)).map(({ amount_kobo: kobo }) => kobo),
    ).to.deep.equal([30_000, 70_000]);
  });

  it('that fails at the provider shows why, frees its amount, and may be requested again', async () => {
    expect(refunds.failing.status).to.equal('failed');
    expect(refunds.failing.failure_message).to.match(/^[A-Z][a-z].+/);
    expect((await fixture.read(charges.failing)).transaction).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
    expect(await again(charges.failing)).to.include({ status: 'completed' });
    expect(fixture.webhooksOf(charges.failing).slice(1)).to.deep.equal([
      'refund.failed failed',
      'refund.completed completed',
    ]);
  });

  it('of a card payment completes, or fails with a reason where the provider refunds no cards', async () => {
    if (fixture.name !== 'monnify') {
      expect(refunds.card).to.include({ status: 'completed' });
      return;
    }
    const words = 'Monnify does not refund this payment: it refunds bank transfers only.';
    expect(refunds.card).to.include({ status: 'failed', failure_message: words });
    expect((await stored(fixture.stack, charges.card)).status).to.equal('succeeded');
    expect(fixture.webhooksOf(charges.card)).to.deep.equal([
      'charge.succeeded succeeded',
      'refund.failed failed',
    ]);
  });

  it('that needs attention at the provider stays processing, without a webhook', async () => {
    const { status, attention } = refunds.needsAttention;
    expect(status).to.equal('processing');
    // The other providers have no such status: theirs is a refund that is not completed yet.
    if (fixture.name === 'paystack') expect(attention.reason).to.match(/^[A-Z][a-z].+/);
    else expect(attention).to.equal(null);
    await fixture.pass(21 * 24 * HOUR);
    const late = await read(refunds.needsAttention);
    expect(late.status).to.equal('processing');
    expect(late.attention.reason, 'after 20 days').to.match(/^[A-Z][a-z].+/);
    expect(fixture.webhooksOf(charges.needsAttention)).to.deep.equal([
      'charge.succeeded succeeded',
    ]);
  });
});
