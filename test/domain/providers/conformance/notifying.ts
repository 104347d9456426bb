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
  async function notified() {
    const { reference } = await opened();
    await fixture.adapter.control.pay(reference);
    await fixture.adapter.sandbox.idle();
    const { headers, raw } = fixture.adapter.receiver.received.at(-1)!;
    return { reference, headers, raw: Buffer.from(raw) };
  }

  describe('being notified', () => {
    it('names the payment to read', async () => {
      const { reference, headers, raw } = await notified();
      const { about, references } = fixture.adapter.provider.readNotification(headers, raw)!;
      expect({ about, references }).to.deep.equal({ about: 'payment', references: [reference] });
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

    it('reads nothing for another account or without a signature', async () => {
      const { headers, raw } = await notified();
      expect(fixture.adapter.stranger.readNotification(headers, raw)).to.equal(undefined);
      expect(fixture.adapter.provider.readNotification({}, raw)).to.equal(undefined);
    });

    if (traits.signsBody) {
      it('reads nothing from a changed body, where the body is signed', async () => {
        const { headers, raw } = await notified();
        raw[raw.length - 2]! ^= 1;
        expect(fixture.adapter.provider.readNotification(headers, raw)).to.equal(undefined);
      });
    }
  });
}
