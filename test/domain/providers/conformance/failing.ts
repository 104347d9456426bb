import { expect } from 'chai';
import { errorOf } from '../wire.ts';
import { type Bench, options, TIMEOUT_MS } from './bench.ts';

export function describeFailing(bench: Bench): void {
  const { nature } = bench;

  /** How every call fails: in one and the same way, or the test says which. */
  const each = async (provider = bench.fixture.provider, timeoutMs = TIMEOUT_MS) => {
    const payment = {
      providerPaymentId: '1',
      reference: bench.fixture.newReference(),
      capturedAt: bench.fixture.now(),
    };
    const order = bench.refundOf(payment, 100_000);
    const wanted = { refundId: order.refundId, providerRefundId: null, payment };
    const calls = {
      create: provider.create(bench.orderOf(bench.fixture.newReference()), { timeoutMs }),
      verify: provider.verify(bench.fixture.newReference(), { timeoutMs }),
      check: provider.checkCredentials({ timeoutMs }),
      refund: provider.refund(order, { timeoutMs }),
      find: provider.findRefund(wanted, { timeoutMs }),
      list: provider.listRefunds(payment, { timeoutMs }),
      ...(nature.tellsDisputes && { disputes: provider.listDisputes({ payment }, { timeoutMs }) }),
    };
    const kinds = Object.entries(calls).map(async ([name, call]) => [
      name,
      (await errorOf(call)).kind,
    ]);
    return Object.fromEntries(await Promise.all(kinds));
  };
  const all = (kind: string) => ({
    ...{ create: kind, verify: kind, check: kind, refund: kind, find: kind, list: kind },
    ...(nature.tellsDisputes && { disputes: kind }),
  });

  describe('failing', () => {
    it('is refused with credentials the provider does not know, and never called absent', async () => {
      expect(await each(bench.fixture.impostor)).to.deep.equal(all('refused'));
    });

    it('leaves the outcome open when the provider breaks', async () => {
      await bench.fixture.control.faults({ error_rate: 1 });
      expect(await each()).to.deep.equal(all('unknown'));
    });

    it('leaves the outcome open when the answer takes too long', async () => {
      await bench.fixture.control.faults({ latency_ms: 600 });
      const startedMs = performance.now();
      expect(await each(bench.fixture.provider, 200)).to.deep.equal(all('unknown'));
      expect(performance.now() - startedMs).to.be.below(1_000);
    });

    it('is for later when the provider limits calls', async () => {
      await bench.fixture.control.faults({ rate_limit_rate: 1 });
      expect(await each()).to.deep.equal(all('limited'));
    });

    it('is for later when nothing answers', async () => {
      expect(await each(bench.fixture.unreachable)).to.deep.equal(all('retryable'));
    });

    it('finds a payment whose answer was lost', async () => {
      await bench.fixture.control.faults({ timeout_after_accept_rate: 1 });
      const reference = bench.fixture.newReference();
      const created = bench.fixture.provider.create(bench.orderOf(reference), { timeoutMs: 300 });
      expect((await errorOf(created)).kind).to.equal('unknown');
      await bench.fixture.control.faults();
      expect((await bench.verify(reference)).state).to.equal(nature.untouched);
      await bench.fixture.control.pay(reference);
      await bench.captureOf(reference);
    });

    it('answers again once the provider does', async () => {
      await bench.fixture.control.faults({ error_rate: 1 });
      await each();
      await bench.fixture.control.faults();
      await bench.fixture.provider.checkCredentials(options);
    });
  });
}
