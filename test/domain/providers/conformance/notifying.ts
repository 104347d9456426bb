import { expect } from 'chai';
import type { Notification } from '../../../../domain/providers/provider.ts';
import type { Bench } from './bench.ts';

export function describeNotifying(bench: Bench): void {
  const { nature, opened, paid } = bench;

  /** The notifications of what is done meanwhile, as the account reads them. */
  async function heardOf(act: () => Promise<unknown>): Promise<Notification[]> {
    await bench.stand.sandbox.idle();
    const before = bench.stand.receiver.received.length;
    await act();
    await bench.stand.pass(2_000);
    return bench.stand.receiver.received.slice(before).map(({ headers, raw }) => {
      return (
        bench.stand.provider.readNotification(headers, Buffer.from(raw)) ??
        expect.fail(`not believed: ${raw}`)
      );
    });
  }
  async function notified() {
    const { reference } = await opened();
    await bench.stand.control.pay(reference);
    await bench.stand.sandbox.idle();
    const { headers, raw } = bench.stand.receiver.received.at(-1)!;
    return { reference, headers, raw: Buffer.from(raw) };
  }

  describe('being notified', () => {
    it('knows which payment to ask about', async () => {
      const { reference, headers, raw } = await notified();
      const { about, references } = bench.stand.provider.readNotification(headers, raw)!;
      expect({ about, references }).to.deep.equal({ about: 'payment', references: [reference] });
    });

    it('knows whose refund or dispute it is told of', async () => {
      const payment = await paid();
      const told = await heardOf(async () => {
        await bench.stand.control.refundNow(payment.reference, 100_000);
        await bench.stand.control.dispute(payment.reference);
      });
      expect([...new Set(told.map(({ about }) => about))]).to.have.members(nature.notifies);
      for (const { references, paymentIds } of told) {
        expect([...references, ...paymentIds]).to.include.oneOf([
          payment.reference,
          payment.providerPaymentId,
        ]);
      }
    });

    it('believes nobody else: another account, no signature', async () => {
      const { headers, raw } = await notified();
      expect(bench.stand.stranger.readNotification(headers, raw)).to.equal(undefined);
      expect(bench.stand.provider.readNotification({}, raw)).to.equal(undefined);
    });

    if (nature.signsBody) {
      it('believes no other bytes, where they are signed', async () => {
        const { headers, raw } = await notified();
        raw[raw.length - 2]! ^= 1;
        expect(bench.stand.provider.readNotification(headers, raw)).to.equal(undefined);
      });
    }

    it('never throws, whatever comes', () => {
      const bodies = ['', '{', 'null', '[]', '\0', '{"data":{}}'].map((text) => Buffer.from(text));
      for (const body of bodies) {
        for (const value of [undefined, '', 'x', ['a', 'b']]) {
          const headers = {
            'x-paystack-signature': value,
            'verif-hash': value,
            'monnify-signature': value,
          };
          expect(bench.stand.provider.readNotification(headers, body)).to.equal(undefined);
        }
      }
    });
  });
}
