import { expect } from 'chai';
import type { Notification } from '../../../../domain/providers/provider.ts';
import type { Bench } from './bench.ts';

export function describeNotifying(bench: Bench): void {
  const { nature, opened, paid } = bench;

  /** The notifications of what is done meanwhile, as the account reads them. */
  async function heardOf(act: () => Promise<unknown>): Promise<Notification[]> {
    await bench.fixture.sandbox.idle();
    const before = bench.fixture.receiver.received.length;
    await act();
    await bench.fixture.pass(2_000);
    return bench.fixture.receiver.received.slice(before).map(({ headers, raw }) => {
      return (
        bench.fixture.provider.readNotification(headers, Buffer.from(raw)) ??
        expect.fail(`not believed: ${raw}`)
      );
    });
  }
  async function notified() {
    const { reference } = await opened();
    await bench.fixture.control.pay(reference);
    await bench.fixture.sandbox.idle();
    const { headers, raw } = bench.fixture.receiver.received.at(-1)!;
    return { reference, headers, raw: Buffer.from(raw) };
  }

  describe('being notified', () => {
    it('knows which payment to ask about', async () => {
      const { reference, headers, raw } = await notified();
      const { about, references } = bench.fixture.provider.readNotification(headers, raw)!;
      expect({ about, references }).to.deep.equal({ about: 'payment', references: [reference] });
    });

    it('knows whose refund or dispute it is told of', async () => {
      const payment = await paid();
      const told = await heardOf(async () => {
        await bench.fixture.control.refundNow(payment.reference, 100_000);
        await bench.fixture.control.dispute(payment.reference);
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
      expect(bench.fixture.stranger.readNotification(headers, raw)).to.equal(undefined);
      expect(bench.fixture.provider.readNotification({}, raw)).to.equal(undefined);
    });

    if (nature.signsBody) {
      it('believes no other bytes, where they are signed', async () => {
        const { headers, raw } = await notified();
        raw[raw.length - 2]! ^= 1;
        expect(bench.fixture.provider.readNotification(headers, raw)).to.equal(undefined);
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
          expect(bench.fixture.provider.readNotification(headers, body)).to.equal(undefined);
        }
      }
    });
  });
}
