import { expect } from 'chai';
import { errorOf } from '../calls.ts';
import { type ConformanceFixture, options, TIMEOUT_MS } from './fixture.ts';

export function describeFailing(fixture: ConformanceFixture): void {
  const { traits } = fixture;

  /** How every call fails: in one and the same way, or the test says which. */
  const each = async (provider = fixture.adapter.provider, timeoutMs = TIMEOUT_MS) => {
    const payment = {
      providerPaymentId: '1',
      reference: fixture.adapter.newReference(),
      capturedAt: fixture.adapter.now(),
    };
    const order = fixture.refundOf(payment, 100_000);
    const providerRefundId = provider.listRefunds ? null : '1';
    const wanted = { refundId: order.refundId, providerRefundId, payment };
    const calls = {
      create: provider.create(fixture.orderOf(fixture.adapter.newReference()), { timeoutMs }),
      verify: provider.verify(fixture.adapter.newReference(), { timeoutMs }),
      check: provider.checkCredentials({ timeoutMs }),
      refund: provider.refund(order, { timeoutMs }),
      find: provider.findRefund(wanted, { timeoutMs }),
      list: provider.listRefunds
        ? provider.listRefunds(payment, { timeoutMs })
        : provider.listAccountRefunds!({ from: payment.capturedAt, page: 1 }, { timeoutMs }),
      ...(fixture.capabilities.disputes === 'api' && {
        disputes: provider.listDisputes({ payment }, { timeoutMs }),
      }),
    };
    const kinds = Object.entries(calls).map(async ([name, call]) => [
      name,
      (await errorOf(call)).kind,
    ]);
    return Object.fromEntries(await Promise.all(kinds));
  };
  const all = (kind: string) => ({
    ...{ create: kind, verify: kind, check: kind, refund: kind, find: kind, list: kind },
    ...(fixture.capabilities.disputes === 'api' && { disputes: kind }),
  });

  describe('failing', () => {
    it('is refused, not absent, with credentials that the provider does not know', async () => {
      expect(await each(fixture.adapter.impostor)).to.deep.equal(all('refused'));
    });

    it('is unknown when the provider has an internal error', async () => {
      await fixture.adapter.control.faults({ error_rate: 1 });
      expect(await each()).to.deep.equal(all('unknown'));
    });

    it('is unknown when the answer takes too long', async () => {
      await fixture.adapter.control.faults({ latency_ms: 600 });
      const startedMs = performance.now();
      expect(await each(fixture.adapter.provider, 200)).to.deep.equal(all('unknown'));
      expect(performance.now() - startedMs).to.be.below(1_000);
    });

    it('is limited for as long as the provider states, when it limits calls', async () => {
      await fixture.adapter.control.faults({ rate_limit_rate: 1 });
      expect(await each()).to.deep.equal(all('limited'));
      const { provider, newReference } = fixture.adapter;
      const error = await errorOf(provider.verify(newReference(), options));
      expect(error.retryAfterMs).to.equal(traits.statesWait ? 1_000 : undefined);
    });

    it('is retryable when nothing listens', async () => {
      expect(await each(fixture.adapter.unreachable)).to.deep.equal(all('retryable'));
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

    it('ends when the provider works again', async () => {
      await fixture.adapter.control.faults({ error_rate: 1 });
      await each();
      await fixture.adapter.control.faults();
      await fixture.adapter.provider.checkCredentials(options);
    });
  });
}
