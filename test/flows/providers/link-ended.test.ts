import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { describeForEachProvider } from './scene.ts';

/** How long a provider's link takes money. Flutterwave's never lives longer than a day, so the charge lives two here. Paystack's has no end. */
const linkLives = { paystack: null, flutterwave: DAY, monnify: 40 * MINUTE };
const env = { chargeLifetimeMs: 2 * DAY };

describeForEachProvider(
  'A link',
  (scene) => {
    const lives = linkLives[scene.name];

    if (lives === null) {
      it('has no end before the charge’s own: a late payer is led to the first one still', async () => {
        const counted = await scene.counting();
        const charge = await scene.open();
        const link = await scene.visit(charge);
        await scene.pass(47 * HOUR);
        expect(await scene.visit(charge)).to.equal(link);
        await scene.pay(charge);
        expect(await scene.read(charge)).to.include({ status: 'completed' });
        expect(await counted()).to.include({ creates: 1, captures: 1 });
      });
      return;
    }

    it('that has ended is replaced when its payer comes, and the next one is paid', async () => {
      const counted = await scene.counting();
      const charge = await scene.open();
      const first = await scene.visit(charge);
      await scene.pass(lives + MINUTE);
      expect(await stored(scene.stack, charge), 'nobody came').to.include({ status: 'pending' });
      expect(await counted()).to.include({ creates: 1 });
      expect(await scene.visit(charge), 'asked about first').to.equal(undefined);
      await scene.stack.settle();
      expect(await scene.attempts(charge)).to.deep.equal(['expired', 'open']);
      const second = await scene.visit(charge);
      expect(second)
        .to.equal((await stored(scene.stack, charge)).attempts[1]!.url)
        .and.not.to.equal(first);
      await scene.pay(charge);
      expect(await scene.read(charge)).to.include({ status: 'completed', provider: scene.slot });
      expect(await scene.attempts(charge)).to.deep.equal(['expired', 'captured']);
      expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
      expect(await scene.history(charge)).to.include('attempt.expired');
      expect(await counted()).to.include({ creates: 2, distinct_references: 2, captures: 1 });
    });
  },
  { env },
);
