import { expect } from 'chai';
import { type Checkout, newCharge, stored } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { describeForEachProvider } from './fixture.ts';

/** A charge whose first payments the provider took without an answer reaching us, and one whose link did. */
interface LostLink {
  charge: Checkout;
  lost: { reference: string };
  open: { reference: string; url: string };
}

const names = ['one link', 'lost money', 'twice', 'in one look', 'by card'] as const;

describeForEachProvider(
  'A payment the provider took without an answer',
  (fixture) => {
    let cases: Record<(typeof names)[number], LostLink>;
    let created: ProviderStats;
    before(async () => {
      const counted = await fixture.counting();
      await fixture.faults({ timeout_after_accept_rate: 1 });
      const charges = await withShortTimeouts(fixture.stack, ['createMs'], async () => {
        const made = await Promise.all(
          names.map(() => newCharge(fixture.stack, { provider: fixture.slot })),
        );
        await fixture.stack.settle();
        return made;
      });
      await fixture.faults();
      await fixture.pass(10 * SECOND);
      created = await counted();
      cases = Object.fromEntries(
        await Promise.all(names.map(async (name, index) => [name, await read(charges[index]!)])),
      );
    });

    async function read(charge: Checkout): Promise<LostLink> {
      const attempts = (await stored(fixture.stack, charge)).attempts as any[];
      expect(attempts.map(({ status }) => status)).to.deep.equal([
        ...attempts.slice(1).map(() => 'lost'),
        'open',
      ]);
      return { charge, lost: attempts[0], open: attempts.at(-1) };
    }
    const passAll = async (...waits: number[]) => {
      for (const wait of waits) await fixture.pass(wait);
    };
    const capturesOf = async (charge: Checkout) => {
      const { captures } = await stored(fixture.stack, charge);
      return captures
        .sort((one, other) => one.captured_at - other.captured_at)
        .map(({ status }) => status);
    };
    /** Pays one link twice where the provider allows it, else two links. */
    const payTwice = async ({ lost, open }: LostLink, options: Record<string, unknown>) => {
      await fixture.pay(open, options);
      fixture.stack.clock.advance(SECOND);
      if (fixture.name === 'flutterwave') await fixture.pay(open, { ...options, again: true });
      else await fixture.pay(lost, options);
    };
    const expectOnePayment = async (charge: Checkout) => {
      expect((await fixture.read(charge)).transaction).to.include({
        status: 'succeeded',
        amount_kobo: 100_000,
        refunded_kobo: 0,
      });
      expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
      expect((await stored(fixture.stack, charge)).review).to.deep.equal([]);
    };
    const systemRefunds = async (charge: Checkout) =>
      (await fixture.refunds(charge)).map(
        ({ origin, status, amount_kobo: kobo }) => `${origin} ${status} ${kobo}`,
      );

    it('is not sent again under its reference, and the payer gets one link', async () => {
      const { charge, open } = cases['one link'];
      expect(created).to.include({ creates: created.distinct_references, resent_after_accept: 0 });
      expect(await fixture.visit(charge)).to.equal(open.url);
      await fixture.pay(open);
      await expectOnePayment(charge);
    });

    it('is refunded by the service, once, when the charge is paid twice', async () => {
      const counted = await fixture.counting();
      const { charge } = cases.twice;
      await payTwice(cases.twice, {});
      await passAll(3 * SECOND, 3 * SECOND);
      expect(await capturesOf(charge)).to.deep.equal(['applied', 'duplicate']);
      expect(await systemRefunds(charge)).to.deep.equal(['system completed 100000']);
      await expectOnePayment(charge);
      expect((await fixture.history(charge)).slice(-5)).to.deep.equal([
        ...[
          'charge.extra_capture',
          'refund.approved',
          'refund.processing',
          'refund.accepted',
          'refund.completed',
        ],
      ]);
      expect(await counted()).to.include({ captures: 2, refunds: 1, creates: 0 });
    });

    it('is refunded when both payments are by card, or goes to review where the provider refunds no cards', async () => {
      const counted = await fixture.counting();
      const { charge } = cases['by card'];
      await payTwice(cases['by card'], { channel: 'card' });
      await passAll(3 * SECOND, 3 * SECOND);
      if (fixture.name === 'monnify') {
        expect((await stored(fixture.stack, charge)).review).to.deep.equal(['extra_capture']);
        await fixture.decide(charge, 'return');
        expect(await systemRefunds(charge), 'one more try').to.deep.equal([
          'system failed 100000',
          'system failed 100000',
        ]);
        expect(await fixture.decide(charge, 'accept')).to.include({
          reason: 'extra_capture',
          amount_kobo: 100_000,
        });
      }
      await expectOnePayment(charge);
      expect(await counted()).to.include({
        captures: 2,
        refunds: fixture.name === 'monnify' ? 0 : 1,
      });
    });

    it('completes the charge when it is paid after all', async () => {
      const { charge, lost } = cases['lost money'];
      await fixture.pay(lost, { notify: false });
      await fixture.pass(20 * MINUTE);
      await expectOnePayment(charge);
      expect((await stored(fixture.stack, charge)).attempts[0]).to.include({ status: 'captured' });
    });
  },
  { lists: true },
);
