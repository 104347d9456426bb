import { expect } from 'chai';
import { type DisputeState, decideDispute } from '../../../../domain/payments/dispute/decide.ts';
import type { DisputeStatus } from '../../../../domain/payments/dispute/transitions.ts';

/** A dispute about the ₦5,000 that paid a charge. */
function given(status: DisputeStatus | undefined, overrides: Partial<DisputeState> = {}) {
  return {
    id: 'dsp_1',
    status,
    captureId: 'cap_1',
    amountKobo: 500_000,
    isApplied: true,
    chargeStatus: 'succeeded',
    hasOtherOpen: false,
    isReversed: false,
    ...overrides,
  };
}

/** What a report has the charge do, in order. */
const factsOf = (dispute: DisputeState, reported: DisputeStatus) =>
  decideDispute(dispute, reported).effects.flatMap((effect) =>
    effect.type === 'advance charge' ? effect.fact.type : [],
  );

describe('The lifecycle of a dispute', () => {
  const rows: [
    known: DisputeStatus | undefined,
    reported: DisputeStatus,
    status: DisputeStatus,
    facts: string[],
  ][] = [
    [undefined, 'open', 'open', ['dispute opened']],
    [undefined, 'won', 'won', ['dispute opened', 'dispute won']],
    [undefined, 'lost', 'lost', ['dispute opened', 'dispute lost']],
    ['open', 'open', 'open', []],
    ['open', 'won', 'won', ['dispute won']],
    ['open', 'lost', 'lost', ['dispute lost']],
    ['won', 'open', 'won', []],
    ['won', 'won', 'won', []],
    ['won', 'lost', 'won', ['dispute noted']],
    ['lost', 'open', 'lost', []],
    ['lost', 'won', 'lost', ['dispute noted']],
    ['lost', 'lost', 'lost', []],
  ];
  for (const [known, reported, status, facts] of rows) {
    it(`${known ?? 'not known'}, then reported ${reported}: ${status}, ${facts.join(', ') || 'no fact'}`, () => {
      expect(decideDispute(given(known), reported).status).to.equal(status);
      expect(factsOf(given(known), reported)).to.deep.equal(facts);
    });
  }

  it('opens a review if its payment is not the applied one or was refunded', () => {
    expect(factsOf(given('open', { isApplied: false }), 'lost')).to.deep.equal(['dispute noted']);
    expect(factsOf(given('open', { chargeStatus: 'refunded' }), 'lost')).to.deep.equal([
      'dispute noted',
    ]);
  });

  it('leaves the charge disputed when it is won while another one is open', () => {
    expect(factsOf(given('open', { hasOtherOpen: true }), 'won')).to.deep.equal([]);
  });

  it('is compared with refunds of the same money when it is lost', () => {
    const { effects } = decideDispute(given('open'), 'lost');
    expect(effects.at(-1)).to.deep.equal({
      type: 'check for money sent twice',
      captureId: 'cap_1',
    });
  });
});
