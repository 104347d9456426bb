import { expect } from 'chai';
import { decideCharge } from '../../../../domain/payments/charge/decide.ts';
import type { CaptureFact } from '../../../../domain/payments/charge/facts.ts';
import { chargeStatuses } from '../../../../domain/payments/charge/transitions.ts';
import { attemptedAt, captured, facts, given, MINUTE_MS, told } from './given.ts';

describe('Money for a charge is checked every time', () => {
  const wrong: [what: string, difference: Partial<CaptureFact>, sentence: string][] = [
    ['another currency', { currency: 'USD' }, 'The payment is in USD, not NGN.'],
    ['no currency', { currency: '' }, 'The payment is in no known currency, not NGN.'],
    [
      'another reference',
      { reference: 'SV-100001-zzzzzzzz' },
      'The payment carries another reference.',
    ],
    ['the other mode', { mode: 'live' }, 'The payment was made in live mode.'],
    [
      'a time before our attempt',
      { createdAt: new Date(attemptedAt.getTime() - 6 * MINUTE_MS) },
      'The payment is older than our attempt.',
    ],
  ];

  for (const [what, difference, sentence] of wrong) {
    for (const status of chargeStatuses) {
      it(`${status}: a payment with ${what} is held for a person and moves nothing`, () => {
        const decision = decideCharge(given(status), captured(difference));
        expect(decision).to.deep.equal({
          moves: [],
          patch: {},
          review: ['capture_mismatch'],
          note: { what: 'charge.capture_mismatch', detail: sentence },
          captureStatus: 'on_hold',
        });
      });
    }
  }

  it('accepts what the provider does not state: mode and creation time', () => {
    expect(
      decideCharge(given('pending'), captured({ mode: null, createdAt: null }))?.moves,
    ).to.deep.equal(['succeeded']);
  });

  it("forgives providers' clocks that are slow by five minutes, and no more", () => {
    const at = (ms: number) => captured({ createdAt: new Date(attemptedAt.getTime() - ms) });
    expect(decideCharge(given('pending'), at(5 * MINUTE_MS))?.captureStatus).to.equal('applied');
    expect(decideCharge(given('pending'), at(5 * MINUTE_MS + 1))?.captureStatus).to.equal(
      'on_hold',
    );
  });

  it('was not paid before it was asked for, whatever a slow clock says', () => {
    const paidAt = (ms: number) =>
      decideCharge(given('pending'), captured({ capturedAt: new Date(attemptedAt.getTime() + ms) }))
        ?.patch.occurredAt;
    expect(paidAt(-1)).to.deep.equal(attemptedAt);
    expect(paidAt(1)).to.deep.equal(new Date(attemptedAt.getTime() + 1));
  });
});

describe('Too little money', () => {
  const short = captured({ amountKobo: 499_999 });

  for (const status of ['initiated', 'pending', 'failed'] as const) {
    it(`${status}: stays, and a person looks`, () => {
      const decision = decideCharge(given(status), short);
      expect(decision).to.deep.include({
        moves: [],
        patch: {},
        review: ['underpaid'],
        captureStatus: 'on_hold',
      });
      expect(decision?.event).to.equal(undefined);
    });
  }

  it('never fails afterwards, not even past its end', () => {
    const underpaid = told(given('pending'), short);
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      expect(decideCharge(underpaid, facts[cause]), cause).to.equal(undefined);
    }
  });

  it('does not succeed by a settlement line either', () => {
    expect(told(told(given('pending'), short), facts.settled).status).to.equal('pending');
  });

  it('succeeds when the whole amount comes after all', () => {
    expect(
      told(told(given('pending'), short), captured({ providerPaymentId: '2' })).status,
    ).to.equal('succeeded');
  });
});

describe('Too much money', () => {
  it('succeeds, with the excess in words and in review', () => {
    const decision = decideCharge(given('pending'), captured({ amountKobo: 512_345 }));
    expect(decision).to.deep.include({
      moves: ['succeeded'],
      review: ['overpaid'],
      captureStatus: 'applied',
      event: 'charge.succeeded',
    });
    expect(decision?.note).to.deep.equal({
      what: 'charge.overpaid',
      detail: 'The payer paid ₦123.45 more than was asked; it is in review.',
    });
  });
});

describe('A second capture', () => {
  for (const status of ['succeeded', 'settled', 'disputed', 'refunded'] as const) {
    it(`${status}: is extra, however much it is, goes back, and changes nothing of the charge`, () => {
      for (const amountKobo of [1, 500_000, 900_000]) {
        const decision = decideCharge(
          given(status),
          captured({ providerPaymentId: '2', amountKobo }),
        );
        expect(decision).to.deep.include({
          moves: [],
          patch: {},
          review: [],
          captureStatus: 'duplicate',
        });
        expect(decision?.event).to.equal(undefined);
      }
    });
  }
});

describe('Late money', () => {
  it('makes a failed charge succeed: recovered, its failure message gone, and told to the merchant', () => {
    const decision = decideCharge(given('failed'), captured());
    expect(decision).to.deep.include({
      moves: ['succeeded'],
      event: 'charge.succeeded',
      captureStatus: 'applied',
    });
    expect(decision?.patch).to.include({
      recovered: true,
      failureMessage: null,
      failureCause: null,
    });
  });

  it('is no recovery where the charge had not failed', () => {
    expect(decideCharge(given('pending'), captured())?.patch).not.to.have.property('recovered');
  });
});

describe('A fee', () => {
  it('that is not stated yet leaves what stands', () => {
    expect(decideCharge(given('pending'), captured({ feeKobo: null }))?.patch).not.to.have.property(
      'feeKobo',
    );
  });
});
