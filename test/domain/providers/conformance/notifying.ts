import { expect } from 'chai';
import type { Notification } from '../../../../domain/providers/port/provider.ts';
import type { ConformanceFixture } from './fixture.ts';

export function describeNotifying(fixture: ConformanceFixture): void {
  const { traits, opened, paid } = fixture;

  async function notificationsOf(act: () => Promise<unknown>): Promise<Notification[]> {
    await fixture.adapter.sandbox.idle();
    const before = fixture.adapter.receiver.received.length;
    await act();
    await fixture.adapter.pass(2_000);
    return fixture.adapter.receiver.received.slice(before).map(({ headers, raw }) => {
      return (
        fixture.adapter.provider.readNotification(headers, Buffer.from(raw)) ??
        expect.fail(`not read: ${raw}`)
      );
    });
  }

  describe('being notified', () => {
    it('names the payment to read', async () => {
      const { reference } = await opened();
      const [read] = await notificationsOf(() => fixture.adapter.control.pay(reference));
      expect(read).to.deep.include({ about: 'payment', references: [reference] });
    });

    it('names the payment of a refund or dispute', async () => {
      const payment = await paid();
      const read = await notificationsOf(async () => {
        await fixture.adapter.control.refundNow(payment.reference, 100_000);
        await fixture.adapter.control.dispute(payment.reference);
      });
      expect([...new Set(read.map(({ about }) => about))]).to.have.members(traits.notifies);
      for (const { references, paymentIds } of read) {
        expect([...references, ...paymentIds]).to.include.oneOf([
          payment.reference,
          payment.providerPaymentId,
        ]);
      }
    });
  });
}
