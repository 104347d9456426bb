import { expect } from 'chai';
import { testScenarios } from '../../../domain/shared/test-scenarios.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture, type ProviderName } from './fixture.ts';

const asked = {
  paystack: (metadata: object, callback_url: string) => ({ metadata, callback_url }),
  flutterwave: (meta: object, redirect_url: string) => ({ meta, redirect_url }),
  monnify: (metaData: object, redirectUrl: string) => ({ metaData, redirectUrl }),
};
const HALF_A_SECOND = 500;

for (const provider of Object.keys(asked) as ProviderName[])
  describe(`sandbox: scenarios at ${provider}`, () => {
    const fixture = forEachTest(() => openFixture({ provider }));
    const orderOf = (scenario: string) => {
      const shop = new URL('/done?cart=1', fixture.receiver.url).href;
      return asked[provider]({ test_scenario: scenario }, shop);
    };
    const open = (scenario: string) => fixture.order(orderOf(scenario));
    const paidKobo = async (reference: string) =>
      (await fixture.payments(reference)).map(({ paid_kobo }) => paid_kobo);

    it('are over within two seconds', async () => {
      for (const scenario of testScenarios) await fixture.create(orderOf(scenario));
      for (let step = 0; step < 4; step++) await fixture.pass(HALF_A_SECOND);
      expect(fixture.sandbox.store.scenario.find('due')).to.deep.equal([]);
    });

    it('begin once the payment is known, and survive a restart', async () => {
      const reference = await open('paid_short');
      expect(await paidKobo(reference)).to.deep.equal([null]);
      await fixture.restart();
      await fixture.pass(HALF_A_SECOND);
      expect(await paidKobo(reference)).to.deep.equal([250_000]);
    });

    it('send the customer back to the merchant, who is notified of no decline everywhere', async () => {
      const reference = await open('declined');
      await fixture.pass(HALF_A_SECOND);
      await fixture.sandbox.idle();
      const visits = fixture.receiver.received.filter(({ url }) => url.startsWith('/done?cart=1&'));
      expect(visits.map(({ url }) => url.includes(reference))).to.deep.equal([true]);
    });

    it('are not for other metadata', async () => {
      for (const scenario of ['constructor', 'paid ', '']) {
        const reference = await open(scenario);
        await fixture.pass(HALF_A_SECOND);
        expect(await paidKobo(reference), scenario).to.deep.equal([null]);
      }
    });

    it('are choices of the pay page', async () => {
      const { url, reference } = await fixture.open();
      expect(await (await fetch(url)).text()).to.include(
        '<button name="choice" value="paid_short">Pay half</button>',
      );
      const choose = () =>
        fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ choice: 'paid_short' }),
          redirect: 'manual',
        });
      for (let time = 0; time < 2; time++) {
        expect((await choose()).status).to.equal(303);
        expect(await paidKobo(reference)).to.include(250_000);
      }
      expect((await fixture.stats()).captures).to.equal(1);
    });
  });
