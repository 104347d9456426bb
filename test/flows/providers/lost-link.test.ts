import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
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

const names = ['one link', 'lost money', 'twice', 'by card'] as const;

describeForEachProvider(
  'A payment the provider took without an answer',
  (fixture) => {
    const { stack, pass, counting, refunds, expectTransaction, expectStored } = fixture;
    const [paysAgain, refundsNoCards] = [
      fixture.name === 'flutterwave',
      fixture.name === 'monnify',
    ];
    let cases: Record<(typeof names)[number], LostLink>;
    let created: ProviderStats;
    before(async () => {
      const counted = await counting();
      await fixture.faults({ timeout_after_accept_rate: 1 });
      const charges = await withShortTimeouts(stack, ['createMs'], () =>
        fixture.together(names.map(() => undefined)),
      );
      await fixture.faults();
      await pass(10 * SECOND);
      created = await counted();
      cases = Object.fromEntries(
        await Promise.all(names.map(async (name, index) => [name, await read(charges[index]!)])),
      );
    });

    async function read(charge: Checkout): Promise<LostLink> {
      const attempts = (await stored(stack, charge)).attempts as any[];
      expect(attempts.map(({ status }) => status)).to.deep.equal([
        ...attempts.slice(1).map(() => 'lost'),
        'open',
      ]);
      return { charge, lost: attempts[0], open: attempts.at(-1) };
    }
    /** Pays one link twice where the provider allows it, else two links. */
    const payTwice = async ({ lost, open }: LostLink, options: Record<string, unknown> = {}) => {
      await fixture.pay(open, options);
      stack.clock.advance(SECOND);
      if (paysAgain) await fixture.pay(open, { ...options, again: true });
      else await fixture.pay(lost, options);
      for (let step = 0; step < 2; step++) await pass(3 * SECOND);
    };
    const expectOnePayment = async (charge: Checkout) => {
      const amounts = { amount_kobo: 100_000, refunded_kobo: 0 };
      await expectTransaction(charge, { status: 'succeeded', ...amounts });
      fixture.expectWebhooks(charge, 'charge.succeeded');
      await expectStored(charge, { review: [] });
    };

    it('is not sent again under its reference, and the payer gets one link', async () => {
      const { charge, open } = cases['one link'];
      expect(created).to.include({ creates: created.distinct_references, resent_after_accept: 0 });
      expect(await fixture.visit(charge)).to.equal(open.url);
      await fixture.pay(open);
      await expectOnePayment(charge);
    });

    it('is refunded by the service, once, when the charge is paid twice', async () => {
      const counted = await counting();
      const { charge } = cases.twice;
      await payTwice(cases.twice);
      const { captures } = await stored(stack, charge);
      captures.sort((one, other) => one.captured_at - other.captured_at);
      expect(captures.map(({ status }) => status)).to.deep.equal(['applied', 'duplicate']);
      expect(await refunds(charge)).to.deep.equal(['system completed 100000']);
      await expectOnePayment(charge);
      expect((await fixture.history(charge)).slice(-5)).to.deep.equal([
        ...['charge.extra_capture', 'refund.approved', 'refund.processing'],
        ...['refund.accepted', 'refund.completed'],
      ]);
      expect(await counted()).to.include({ captures: 2, refunds: 1, creates: 0 });
    });

    it('is refunded when both payments are by card, or goes to review where the provider refunds no cards', async () => {
      const counted = await counting();
      const { charge } = cases['by card'];
      await payTwice(cases['by card'], { channel: 'card' });
      if (refundsNoCards) {
        await expectStored(charge, { review: ['extra_capture'] });
        await fixture.decide(charge, 'return'); // which tries once more
        expect(await refunds(charge)).to.deep.equal(Array(2).fill('system failed 100000'));
        const accepted = await fixture.decide(charge, 'accept');
        expect(accepted).to.include({ reason: 'extra_capture', amount_kobo: 100_000 });
      }
      await expectOnePayment(charge);
      expect(await counted()).to.include({ captures: 2, refunds: refundsNoCards ? 0 : 1 });
    });

    it('completes the charge when it is paid after all', async () => {
      const { charge, lost } = cases['lost money'];
      await fixture.pay(lost, { notify: false });
      await pass(20 * MINUTE);
      await expectOnePayment(charge);
      expect((await stored(stack, charge)).attempts[0]).to.include({ status: 'captured' });
    });
  },
  { lists: true },
);
