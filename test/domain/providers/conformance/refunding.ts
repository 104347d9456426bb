import { expect } from 'chai';
import type { PaidPayment } from '../../../../domain/providers/port/payment.ts';
import type { ProviderRefund, RefundOrder } from '../../../../domain/providers/port/refund.ts';
import { errorOf } from '../calls.ts';
import { type ConformanceFixture, findRefund, options, refundsOf } from './fixture.ts';

export function describeRefunding(fixture: ConformanceFixture): void {
  const { traits, paid, refundOf, ending, verify } = fixture;
  const refund = (order: RefundOrder) => fixture.adapter.provider.refund(order, options);
  const list = (payment: PaidPayment) => refundsOf(fixture.adapter.provider, payment);
  const find = (refundId: string, payment: PaidPayment, providerRefundId: string | null = null) =>
    findRefund(fixture.adapter.provider, { refundId, providerRefundId, payment });
  const briefly = (refunds: ProviderRefund[]) =>
    refunds.map(({ refundId, amountKobo, state }) => ({ refundId, amountKobo, state }));

  describe('refunding', () => {
    it('refunds all of a payment: in progress until the payer has the money, then completed, with the evidence', async () => {
      const payment = await paid();
      const order = refundOf(payment, 500_000);
      const { refundId } = order;
      const underWay = { refundId, amountKobo: 500_000, state: 'processing', completedAt: null };
      const accepted = await refund(order);
      expect(accepted).to.include(underWay);
      const { providerRefundId } = accepted;
      expect(providerRefundId).to.match(/\S/);
      await fixture.adapter.pass(500);
      const { refundId: _, ...unnamed } = underWay;
      expect(await find(refundId, payment, providerRefundId)).to.include(unnamed);
      const startedMs = fixture.adapter.now().getTime();
      const ended = await ending(order);
      const completed = { refundId, amountKobo: 500_000, state: 'completed' };
      expect(ended).to.include({ ...completed, providerRefundId });
      const endedMs = fixture.adapter.now().getTime();
      if (ended.completedAt)
        expect(ended.completedAt.getTime()).to.be.within(startedMs - 1_000, endedMs + 1_000);
      expect(ended.raw).to.include(providerRefundId);
      expect(briefly(await list(payment))).to.deep.equal([completed]);
    });

    it('leaves the capture as it was, and says that all of it went back', async () => {
      const payment = await paid();
      const before = (await verify(payment.reference)).captures;
      const order = refundOf(payment, 500_000);
      expect((await verify(payment.reference)).hasRefunds).to.equal(false);
      await refund(order);
      await ending(order);
      const after = await verify(payment.reference);
      expect(after).to.deep.include({
        state: 'paid',
        captures: before.map((capture) => ({
          ...capture,
          ...(traits.refunds.seenByVerify && { isReversed: true }),
        })),
        hasRefunds: traits.refunds.seenByVerify,
      });
    });

    it('refunds in parts, each listed once and to the kobo', async () => {
      const payment = await paid();
      const orders = [10_001, 123_456].map((amountKobo) => refundOf(payment, amountKobo));
      for (const order of orders) await refund(order);
      const expected = orders.map(({ refundId, amountKobo }) => ({
        ...{ refundId, amountKobo, state: 'completed' },
      }));
      for (const [n, order] of orders.entries())
        expect(await ending(order)).to.include(expected[n]!);
      expect(briefly(await list(payment))).to.have.deep.members(expected);
    });

    it('is refused in plain words above what is left, and no refund is made', async () => {
      const payment = await paid();
      await refund(refundOf(payment, 300_000));
      for (const amountKobo of [200_001, 500_001]) {
        const more = refundOf(payment, amountKobo);
        const error = await errorOf(refund(more));
        expect(error).to.include({ kind: 'refused', stage: 'refund' });
        expect(error.message).to.match(/^[A-Z][^<{]+$/);
        expect(await find(more.refundId, payment)).to.equal(undefined);
      }
      expect(await list(payment)).to.have.length(1);
    });

    it('is refused below the smallest amount, and for channels without refunds', async () => {
      const { channels, leastKobo } = traits.refunds;
      if (leastKobo > 1)
        expect((await errorOf(refund(refundOf(await paid(), leastKobo - 1)))).kind).to.equal(
          'refused',
        );
      expect(await refund(refundOf(await paid(), leastKobo))).to.include({ amountKobo: leastKobo });
      for (const channel of traits.channels) {
        const { reference } = await fixture.opened();
        await fixture.adapter.control.pay(reference, { channel });
        const { providerPaymentId, capturedAt } = await fixture.captureOf(reference);
        const order = refundOf({ providerPaymentId, reference, capturedAt: capturedAt! }, 500_000);
        if (channels.includes(channel)) expect((await refund(order)).state).to.equal('processing');
        else expect((await errorOf(refund(order))).kind).to.equal('refused');
      }
    });

    it('neither shows nor refunds payments of other accounts', async () => {
      const payment = await paid();
      const order = refundOf(payment, 100_000);
      const { providerRefundId } = await refund(order);
      const { stranger } = fixture.adapter;
      expect((await errorOf(stranger.refund(refundOf(payment, 100_000), options))).kind).to.equal(
        'refused',
      );
      expect(await refundsOf(stranger, payment)).to.deep.equal([]);
      const wanted = { refundId: order.refundId, payment };
      expect(await findRefund(stranger, { ...wanted, providerRefundId })).to.equal(undefined);
      expect(await findRefund(stranger, { ...wanted, providerRefundId: null })).to.equal(undefined);
    });
  });
}
