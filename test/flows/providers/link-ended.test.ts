import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

/**
 * How long each provider's link takes money; Paystack's has no end. Flutterwave's lives at most a day,
 * so the charges here live two.
 */
const linkLives = { paystack: null, flutterwave: DAY, monnify: 40 * MINUTE };
const env = { chargeLifetimeMs: 2 * DAY };

describeForEachProvider(
  'A link',
  (fixture) => {
    const lives = linkLives[fixture.name];

    if (lives === null) {
      it('is valid until the charge ends: a late payer still gets the first link', async () => {
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

    it('is replaced after its end when the payer comes back, and the next one is paid', async () => {
      const counted = await fixture.counting();
      const charge = await fixture.open();
      const first = await fixture.visit(charge);
      await fixture.pass(lives + MINUTE);
      expect(await stored(fixture.stack, charge), 'no payer came').to.include({
        status: 'pending',
      });
      expect(await counted()).to.include({ creates: 1 });
      expect(await fixture.visit(charge), 'the ended link').not.to.equal(first);
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
      expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
      expect(await fixture.history(charge)).to.include('attempt.expired');
      expect(await counted()).to.include({ creates: 2, distinct_references: 2, captures: 1 });
    });
  },
  { env },
);
