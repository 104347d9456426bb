import { expect } from 'chai';
import { captured, decide, effectsOf, given, known } from './fixture.ts';

describe('A payment that is on record', () => {
  const increased = (id: string, amountKobo: number) =>
    captured({ captureId: 'cap_new', providerPaymentId: id, amountKobo });

  it('changes nothing when it is reported again', () => {
    for (const status of ['applied', 'duplicate', 'on_hold'] as const) {
      const charge = given('succeeded', { captures: [known(status)] });
      expect(decide(charge, increased(`known-${status}`, 500_000)), status).to.equal(undefined);
    }
  });

  it('is in review with its whole amount when it increases as a duplicate', () => {
    const charge = given('succeeded', { captures: [known('applied'), known('duplicate')] });
    const decision = decide(charge, increased('known-duplicate', 501_000));
    expect(effectsOf(decision, 'open review')[0]?.review).to.include({
      reason: 'extra_capture',
      captureId: 'cap_duplicate',
      amountKobo: 501_000,
    });
  });

  it('increases as a duplicate by all that the payer paid, and applied without their fee', () => {
    const fee = { payerFeeKobo: 7_500 };
    const duplicate = known('duplicate', fee);
    const second = given('succeeded', { captures: [known('applied'), duplicate] });
    expect(decide(second, increased('known-duplicate', 507_500))).to.equal(undefined);
    expect(decide(second, increased('known-duplicate', 507_501))).to.not.equal(undefined);
    const withFee = { ...increased('known-applied', 500_000), ...fee };
    expect(decide(given('succeeded'), withFee)).to.equal(undefined);
  });

  it('on hold, stays there when it increases to too little, in a new review', () => {
    const onHold = known('on_hold', { amountKobo: 300_000 });
    const charge = given('pending', { captures: [onHold], review: ['underpaid'] });
    const decision = decide(charge, increased('known-on_hold', 400_000));
    expect(decision?.effects.map(({ type }) => type)).to.deep.equal([
      ...['resolve review', 'record capture', 'open review', 'append to timeline'],
    ]);
    expect(decision?.effects[0]).to.include({ reason: 'underpaid', captureId: 'cap_on_hold' });
  });

  it('on hold, pays the charge when it increases to the full amount: earlier refunds count', () => {
    const onHold = known('on_hold', { amountKobo: 300_000 });
    const charge = given('pending', { captures: [onHold], review: ['underpaid'] });
    const decision = decide(charge, increased('known-on_hold', 500_000));
    expect(decision).to.include({ status: 'succeeded' });
    expect(decision?.patch.captureId).to.equal('cap_on_hold');
    expect(decision?.effects.map(({ type }) => type)).to.include.members([
      'resolve review',
      'record capture',
      'publish',
      'count earlier refunds',
    ]);
  });
});
