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
    const { stack, name, slot, open, pay, read, pass, visit, attempts, counting } = fixture;
    const lives = linkLives[name];

    if (lives === null) {
      it('is valid until the charge ends: a late payer still gets the first link', async () => {
        const counted = await counting();
        const charge = await open();
        const link = await visit(charge);
        await pass(47 * HOUR);
        expect(await visit(charge)).to.equal(link);
        await pay(charge);
        expect(await read(charge)).to.include({ status: 'completed' });
        expect(await counted()).to.include({ creates: 1, captures: 1 });
      });
      return;
    }

    it('is replaced after its end when the payer comes back, and the next one is paid', async () => {
      const counted = await counting();
      const charge = await open();
      const first = await visit(charge);
      await pass(lives + MINUTE);
      await fixture.expectStored(charge, { status: 'pending' }); // no payer came
      expect(await counted()).to.include({ creates: 1 });
      expect(await visit(charge), 'the ended link').not.to.equal(first);
      await stack.settle();
      expect(await attempts(charge)).to.deep.equal(['expired', 'open']);
      const [, { url: second }] = (await stored(stack, charge)).attempts as any[];
      expect(await visit(charge))
        .to.equal(second)
        .and.not.to.equal(first);
      await pay(charge);
      expect(await read(charge)).to.include({ status: 'completed', provider: slot });
      expect(await attempts(charge)).to.deep.equal(['expired', 'captured']);
      fixture.expectWebhooks(charge, 'charge.succeeded');
      expect(await fixture.history(charge)).to.include('attempt.expired');
      expect(await counted()).to.include({ creates: 2, distinct_references: 2, captures: 1 });
    });
  },
  { env },
);
