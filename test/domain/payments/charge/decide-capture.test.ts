import { expect } from 'chai';
import type { StatedCapture } from '../../../../domain/payments/capture/capture.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import { MINUTE_MS } from '../../../../domain/shared/units.ts';
import {
  afterFact,
  attemptedAt,
  captured,
  decide,
  effectsOf,
  eventsOf,
  facts,
  given,
  known,
  recordedAs,
  reviewsOf,
} from './fixture.ts';

describe('A payment is checked against its charge', () => {
  it('and is on hold for review where it is not the payment that was asked for, in every status', () => {
    const tooOld = new Date(attemptedAt.getTime() - 6 * MINUTE_MS);
    const wrong: [difference: Partial<StatedCapture>, sentence: string][] = [
      [{ currency: 'USD' }, 'The payment is in USD, not NGN.'],
      [{ currency: '' }, 'The payment is in no known currency, not NGN.'],
      [{ reference: 'SV-100001-zzzzzzzz' }, 'The payment carries another reference.'],
      [{ mode: 'live' }, 'The payment was made in live mode.'],
      [{ createdAt: tooOld }, 'The payment is older than our attempt.'],
    ];
    for (const [difference, detail] of wrong)
      for (const status of chargeStatuses) {
        const capture = captured(difference);
        const { captureId, amountKobo, attemptId } = capture;
        const [reason, what] = ['capture_mismatch', 'charge.capture_mismatch'];
        expect(decide(given(status), capture), `${status}: ${detail}`).to.deep.equal({
          patch: {},
          effects: [
            { type: 'record capture', id: captureId, status: 'on_hold', capture },
            { type: 'open review', review: { reason, detail, captureId, amountKobo } },
            { type: 'append to timeline', entry: { what, detail, amountKobo, attemptId } },
          ],
        });
      }
  });

  it('passes where the provider states no mode and no creation time', () => {
    const decision = decide(given('pending'), captured({ mode: null, createdAt: null }));
    expect(decision?.status).to.equal('succeeded');
  });

  it('tolerates provider clocks that are slow by five minutes, and no more', () => {
    const at = (ms: number) => captured({ createdAt: new Date(attemptedAt.getTime() - ms) });
    expect(recordedAs(decide(given('pending'), at(5 * MINUTE_MS)))).to.equal('applied');
    expect(recordedAs(decide(given('pending'), at(5 * MINUTE_MS + 1)))).to.equal('on_hold');
  });
});

describe('A payment of too little', () => {
  const underpaid = afterFact(given('pending'), captured({ amountKobo: 499_999 }));

  it('keeps the charge from failing, even past its end, and from being settled', () => {
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const)
      expect(decide(underpaid, facts[cause]), cause).to.equal(undefined);
    expect(afterFact(underpaid, facts.settled).status).to.equal('pending');
  });

  it('is in review, and changes no status, where the charge failed before', () => {
    const decision = decide(given('failed'), captured({ amountKobo: 499_999 }));
    expect([decision?.status, decision?.patch]).to.deep.equal([undefined, {}]);
    expect([reviewsOf(decision), recordedAs(decision)]).to.deep.equal([['underpaid'], 'on_hold']);
  });

  it('lets the charge succeed when the whole amount is paid later', () => {
    const whole = captured({ captureId: 'cap_2', providerPaymentId: '2' });
    const { status, review } = afterFact(underpaid, whole);
    expect([status, review], 'a person still decides').to.deep.equal(['succeeded', ['underpaid']]);
  });
});

describe('A second payment of the same charge', () => {
  it('is refunded whatever its amount, and the charge stays as it is', () => {
    for (const status of ['succeeded', 'settled', 'disputed', 'refunded'] as const)
      for (const paidKobo of [1, 500_000, 900_000]) {
        const decision = decide(given(status), captured({ amountKobo: paidKobo }));
        expect([decision?.status, decision?.patch]).to.deep.equal([undefined, {}]);
        expect(recordedAs(decision)).to.equal('duplicate');
        const [refund] = effectsOf(decision, 'return duplicate');
        expect(refund, `${status}: ${paidKobo}`).to.include({ captureId: 'cap_1', paidKobo });
        expect([reviewsOf(decision), eventsOf(decision)]).to.deep.equal([[], []]);
      }
  });
});

describe('A payment that is on record', () => {
  const onHold = given('pending', {
    captures: [known('on_hold', { amountKobo: 300_000 })],
    review: ['underpaid'],
  });
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
      ...{ reason: 'extra_capture', captureId: 'cap_duplicate', amountKobo: 501_000 },
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
    const decision = decide(onHold, increased('known-on_hold', 400_000));
    expect(decision?.effects.map(({ type }) => type)).to.deep.equal([
      ...['resolve review', 'record capture', 'open review', 'append to timeline'],
    ]);
    expect(decision?.effects[0]).to.include({ reason: 'underpaid', captureId: 'cap_on_hold' });
  });

  it('on hold, pays the charge when it increases to the full amount: earlier refunds count', () => {
    const decision = decide(onHold, increased('known-on_hold', 500_000));
    expect(decision).to.include({ status: 'succeeded' });
    expect(decision?.patch.captureId).to.equal('cap_on_hold');
    expect(decision?.effects.map(({ type }) => type)).to.include.members([
      ...['resolve review', 'record capture', 'publish', 'count earlier refunds'],
    ]);
  });
});
