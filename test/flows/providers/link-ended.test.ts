import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

/** How long a provider's link takes money. Flutterwave's never lives longer than a day, so the charge lives two here. Paystack's has no end. */
const linkLives = { paystack: null, flutterwave: DAY, monnify: 40 * MINUTE };
const env = { chargeLifetimeMs: 2 * DAY };

describeForEachProvider(
  'A link',
  (fixture) => {
    const lives = linkLives[fixture.name];

    if (lives === null) {
      it('has no end before the charge’s own: a late payer is led to the first one still', async () => {
        const counted = await fixture.counting();
        const charge = await fixture.open();
        const link = await fixture.visit(charge);
        await fixture.pass(47 * HOUR);
        expect(await fixture.visit(charge)).to.equal(link);
        await fixture.pay(charge);
        expect(await fixture.read(charge)).to.include({ status: 'completed' });
        expect(await counted()).to.include({ creates: 1, captures: 1 });
      });
      return;
    }

    it('that has ended is replaced when its payer comes, and the next one is paid', async () => {
      const counted = await fixture.counting();
      const charge = await fixture.open();
      const first = await fixture.visit(charge);
      await fixture.pass(lives + MINUTE);
      expect(await stored(fixture.stack, charge), 'nobody came').to.include({ status: 'pending' });
      expect(await counted()).to.include({ creates: 1 });
      expect(await fixture.visit(charge), 'asked about first').to.equal(undefined);
      await fixture.stack.settle();
      expect(await fixture.attempts(charge)).to.deep.equal(['expired', 'open']);
      const second = await fixture.visit(charge);
      expect(second)
        .to.equal((await stored(fixture.stack, charge)).attempts[1]!.url)
        .and.not.to.equal(first);
      await fixture.pay(charge);
      expect(await fixture.read(charge)).to.include({
        status: 'completed',
        provider: fixture.slot,
      });
      expect(await fixture.attempts(charge)).to.deep.equal(['expired', 'captured']);
      expect(fixture.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
      expect(await fixture.history(charge)).to.include('attempt.expired');
      expect(await counted()).to.include({ creates: 2, distinct_references: 2, captures: 1 });
    });
  },
  { env },
);
