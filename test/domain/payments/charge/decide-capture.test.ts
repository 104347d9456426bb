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
  recordedAs,
  reviewsOf,
} from './fixture.ts';

describe('A payment is checked against its charge', () => {
  const wrong: [what: string, difference: Partial<StatedCapture>, sentence: string][] = [
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
      it(`${status}: a payment with ${what} is on hold for review and changes no status`, () => {
        const capture = captured(difference);
        const { captureId, amountKobo, attemptId } = capture;
        const review = { reason: 'capture_mismatch', detail: sentence, captureId, amountKobo };
        const what = 'charge.capture_mismatch';
        expect(decide(given(status), capture)).to.deep.equal({
          patch: {},
          effects: [
            { type: 'record capture', id: captureId, status: 'on_hold', capture },
            { type: 'open review', review },
            {
              type: 'append to timeline',
              entry: { what, detail: sentence, amountKobo, attemptId },
            },
          ],
        });
      });
    }
  }

  it('passes where the provider states no mode and no creation time', () => {
    const decision = decide(given('pending'), captured({ mode: null, createdAt: null }));
    expect(decision?.status).to.equal('succeeded');
  });

  it('tolerates provider clocks that are slow by five minutes, and no more', () => {
    const at = (ms: number) => captured({ createdAt: new Date(attemptedAt.getTime() - ms) });
    expect(recordedAs(decide(given('pending'), at(5 * MINUTE_MS)))).to.equal('applied');
    expect(recordedAs(decide(given('pending'), at(5 * MINUTE_MS + 1)))).to.equal('on_hold');
  });

  it('has a capture time no earlier than its attempt', () => {
    const paidAt = (ms: number) =>
      decide(given('pending'), captured({ capturedAt: new Date(attemptedAt.getTime() + ms) }))
        ?.patch.occurredAt;
    expect(paidAt(-1)).to.deep.equal(attemptedAt);
    expect(paidAt(1)).to.deep.equal(new Date(attemptedAt.getTime() + 1));
  });
});

describe('A payment of too little', () => {
  const short = captured({ amountKobo: 499_999 });

  it('initiated: shows that the page was opened, which nobody reported, and opens a review', () => {
    const decision = decide(given('initiated'), short);
    const { slot, connectionId } = short;
    expect([decision?.status, decision?.patch]).to.deep.equal(['pending', { slot, connectionId }]);
    expect(reviewsOf(decision)).to.deep.equal(['underpaid']);
    expect(recordedAs(decision)).to.equal('on_hold');
    expect(eventsOf(decision)).to.deep.equal([]);
  });

  for (const status of ['pending', 'failed'] as const) {
    it(`${status}: leaves the status and opens a review`, () => {
      const decision = decide(given(status), short);
      expect([decision?.status, decision?.patch]).to.deep.equal([undefined, {}]);
      expect(reviewsOf(decision)).to.deep.equal(['underpaid']);
      expect(recordedAs(decision)).to.equal('on_hold');
      expect(eventsOf(decision)).to.deep.equal([]);
    });
  }

  it('keeps the charge from failing, even past its end', () => {
    const underpaid = afterFact(given('pending'), short);
    for (const cause of ['refused', 'declined', 'expired', 'cancelled'] as const) {
      expect(decide(underpaid, facts[cause]), cause).to.equal(undefined);
    }
  });

  it('does not succeed by a settlement line', () => {
    expect(afterFact(afterFact(given('pending'), short), facts.settled).status).to.equal('pending');
  });

  it('lets the charge succeed when the whole amount is paid later', () => {
    expect(
      afterFact(
        afterFact(given('pending'), short),
        captured({ captureId: 'cap_2', providerPaymentId: '2' }),
      ).status,
    ).to.equal('succeeded');
  });
});

describe('A payment that its provider reversed before we heard of it', () => {
  it('pays its charge, and neither an event, a link nor a review of its excess follows', () => {
    const link = { id: 'lnk_1', paidBy: null };
    const reversed = captured({ amountKobo: 512_345, isReversed: true });
    const decision = decide(given('pending', { link }), reversed);
    expect([decision?.status, recordedAs(decision)]).to.deep.equal(['succeeded', 'applied']);
    expect([eventsOf(decision), reviewsOf(decision)]).to.deep.equal([[], []]);
    expect(effectsOf(decision, 'pay link')).to.deep.equal([]);
  });

  it('and that is the second of its charge is a duplicate, and does not go back once more', () => {
    const second = { captureId: 'cap_2', providerPaymentId: '2', isReversed: true };
    const decision = decide(given('succeeded'), captured(second));
    expect(recordedAs(decision)).to.equal('duplicate');
    expect(effectsOf(decision, 'return duplicate')).to.deep.equal([]);
    const [note] = effectsOf(decision, 'append to timeline');
    expect(note?.entry.detail).to.equal('The payer paid again: the provider reversed ₦5,000.00.');
  });
});

describe('A payment of too much', () => {
  it('makes the charge succeed, with the excess on the timeline and in review', () => {
    const decision = decide(given('pending'), captured({ amountKobo: 512_345 }));
    expect(decision?.status).to.equal('succeeded');
    expect(recordedAs(decision)).to.equal('applied');
    expect(eventsOf(decision)).to.deep.equal(['charge.succeeded']);
    const detail = 'The payer paid ₦123.45 more than was asked; it is in review.';
    expect(effectsOf(decision, 'open review')).to.deep.equal([
      {
        type: 'open review',
        review: { reason: 'overpaid', detail, captureId: 'cap_1', amountKobo: 12_345 },
      },
    ]);
    expect(effectsOf(decision, 'append to timeline')[0]?.entry).to.include({
      what: 'charge.overpaid',
      detail,
    });
  });
});

describe('A second payment of the same charge', () => {
  for (const status of ['succeeded', 'settled', 'disputed', 'refunded'] as const) {
    it(`${status}: becomes a duplicate capture and is refunded, and the charge stays as it is`, () => {
      for (const amountKobo of [1, 500_000, 900_000]) {
        const capture = captured({ captureId: 'cap_2', providerPaymentId: '2', amountKobo });
        const decision = decide(given(status), capture);
        expect([decision?.status, decision?.patch]).to.deep.equal([undefined, {}]);
        expect(decision?.effects.map(({ type }) => type)).to.deep.equal([
          'record capture',
          'append to timeline',
          'return duplicate',
        ]);
        expect(recordedAs(decision)).to.equal('duplicate');
        expect(effectsOf(decision, 'return duplicate')).to.deep.equal([
          {
            type: 'return duplicate',
            captureId: 'cap_2',
            paidKobo: amountKobo,
            reason: 'It was paid a second time.',
          },
        ]);
      }
    });
  }
});

describe('A second payment whose payer bore the fee', () => {
  it('goes back with its fee: all that the payer paid', () => {
    const second = captured({ captureId: 'cap_2', providerPaymentId: '2', payerFeeKobo: 7_500 });
    const [refund] = effectsOf(decide(given('succeeded'), second), 'return duplicate');
    expect(refund).to.include({ paidKobo: 507_500 });
  });
});

describe('A payment for a payment link', () => {
  const link = (paidBy: string | null) => given('pending', { link: { id: 'lnk_1', paidBy } });

  it('makes the link paid', () => {
    const decision = decide(link(null), captured());
    expect(effectsOf(decision, 'pay link')).to.deep.equal([{ type: 'pay link', linkId: 'lnk_1' }]);
  });

  it('pays its own charge and opens a review if another charge paid the link before', () => {
    const decision = decide(link('txn_2'), captured());
    expect(decision?.status).to.equal('succeeded');
    expect(effectsOf(decision, 'pay link')).to.deep.equal([]);
    expect(reviewsOf(decision)).to.deep.equal(['link_paid_before']);
  });
});

describe('A payment after the charge has failed', () => {
  it('makes the charge succeed, recovered, without failure message, with an event', () => {
    const decision = decide(given('failed'), captured());
    expect(decision?.status).to.equal('succeeded');
    expect(eventsOf(decision)).to.deep.equal(['charge.succeeded']);
    expect(recordedAs(decision)).to.equal('applied');
    expect(decision?.patch).to.include({
      recovered: true,
      failureMessage: null,
      failureCause: null,
    });
  });

  it('is not marked as recovered where the charge had not failed', () => {
    expect(decide(given('pending'), captured())?.patch).not.to.have.property('recovered');
  });
});

describe('A fee', () => {
  it('that is not stated yet changes nothing', () => {
    expect(decide(given('pending'), captured({ feeKobo: null }))?.patch).not.to.have.property(
      'feeKobo',
    );
  });
});
