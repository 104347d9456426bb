import { expect } from 'chai';
import { errorOf } from '../calls.ts';
import { type ConformanceFixture, options } from './fixture.ts';
import { refundsOf } from './refund-lists.ts';

export function describeFailing(fixture: ConformanceFixture): void {
  const { traits } = fixture;

  describe('failing', () => {
    it('is refused, not absent, with credentials that the provider does not know', async () => {
      const { impostor, newReference, now } = fixture.adapter;
      const payment = { providerPaymentId: '1', reference: newReference(), capturedAt: now() };
      const order = fixture.refundOf(payment, 100_000);
      const wanted = { refundId: order.refundId, providerRefundId: '1', payment };
      const calls = [
        impostor.create(fixture.orderOf(newReference()), options),
        impostor.verify(newReference(), options),
        impostor.refund(order, options),
        impostor.findRefund(wanted, options),
        refundsOf(impostor, payment),
        ...(fixture.capabilities.disputes === 'api'
          ? [impostor.listDisputes({ payment }, options)]
          : []),
      ];
      for (const call of calls) expect((await errorOf(call)).kind).to.equal('refused');
    });

    it('is limited for as long as the provider states, when it limits calls', async () => {
      await fixture.adapter.control.faults({ rate_limit_rate: 1 });
      const { provider, newReference } = fixture.adapter;
      const error = await errorOf(provider.verify(newReference(), options));
      expect(error.retryAfterMs).to.equal(traits.statesWait ? 1_000 : undefined);
    });

    it('finds a payment whose answer was lost', async () => {
      await fixture.adapter.control.faults({ timeout_after_accept_rate: 1 });
      const reference = fixture.adapter.newReference();
      const created = fixture.adapter.provider.create(fixture.orderOf(reference), {
        timeoutMs: 300,
      });
      expect((await errorOf(created)).kind).to.equal('unknown');
      await fixture.adapter.control.faults();
      expect((await fixture.verify(reference)).state).to.equal(traits.untouched);
      await fixture.adapter.control.pay(reference);
      await fixture.captureOf(reference);
    });
  });
}
