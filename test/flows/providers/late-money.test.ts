import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('Money that comes after its charge has failed', (fixture) => {
  let told: Checkout;
  let silent: Checkout;
  before(async () => {
    [told, silent] = (await fixture.together([undefined, undefined])) as [Checkout, Checkout];
    await fixture.pass(DAY + MINUTE);
  });

  /** A transfer that was begun in time and is slow: the page takes no new one, this one arrives. */
  const payLate = async (charge: Checkout, notify: boolean) => {
    await fixture.stack.context.db.query(
      'update sandbox.payment set link_expires_at = null where reference like $1',
      [`${charge.reference}-%`],
    );
    await fixture.pay(charge, { notify });
  };
  const expectRecovered = async (charge: Checkout) => {
    const { status, transaction } = await fixture.read(charge);
    expect(status).to.equal('completed');
    expect(transaction).to.include({ status: 'succeeded', recovered: true, failure_message: null });
    expect(fixture.told(charge)).to.deep.equal([
      'charge.failed failed',
      'charge.succeeded succeeded',
    ]);
    expect(
      (await stored(fixture.stack, charge)).captures.map(({ status }) => status),
    ).to.deep.equal(['applied']);
    expect((await fixture.history(charge)).at(-1)).to.equal('charge.succeeded');
  };

  it('finds it expired', async () => {
    for (const charge of [told, silent]) {
      expect(await stored(fixture.stack, charge)).to.include({
        status: 'failed',
        failure_cause: 'expired',
      });
      expect(await fixture.read(charge)).to.include({ status: 'expired', transaction: null });
      expect(fixture.told(charge)).to.deep.equal(['charge.failed failed']);
    }
  });

  it('is the charge’s all the same', async () => {
    await payLate(told, true);
    await expectRecovered(told);
  });

  it('is found by asking where no notification comes', async () => {
    await payLate(silent, false);
    expect(await stored(fixture.stack, silent)).to.include({ status: 'failed' });
    await fixture.pass(HOUR + MINUTE);
    await expectRecovered(silent);
  });
});
