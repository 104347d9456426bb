import { expect } from 'chai';
import {
  type DisputeState,
  decideDispute,
  endOf,
} from '../../../../domain/payments/dispute/decide.ts';
import type { DisputeStatus } from '../../../../domain/payments/dispute/transitions.ts';

function given(overrides: Partial<DisputeState> = {}): DisputeState {
  return {
    ...{ id: 'dsp_1', status: 'open', captureId: 'cap_1', amountKobo: 500_000, isApplied: true },
    ...{ chargeStatus: 'disputed', hasOtherOpen: false, isReversed: false },
    ...overrides,
  };
}

interface Effect {
  type: string;
  entry?: { what: string };
  fact?: { type: string };
}

const told = (what: string, detail: string) => ({
  type: 'append to timeline',
  entry: { what: `dispute.${what}`, detail, amountKobo: 500_000 },
});
const advance = (type: 'dispute opened' | 'dispute won' | 'dispute lost') => ({
  type: 'advance charge',
  fact: { type },
});
const noted = (detail: string) => ({
  type: 'advance charge',
  fact: { type: 'dispute noted', captureId: 'cap_1', amountKobo: 500_000, detail },
});
const closed = { type: 'publish', event: 'dispute.closed' };
const check = { type: 'check for money sent twice', captureId: 'cap_1' };

const nameOf = (effect: Effect) => effect.fact?.type ?? effect.entry?.what ?? effect.type;

const asked = 'The payer’s bank asks ₦5,000.00 back (dsp_1).';
const won = 'The dispute about ₦5,000.00 was won: the merchant keeps it (dsp_1).';
const lost = 'The dispute about ₦5,000.00 was lost: it went back to the payer (dsp_1).';
const anothers = (detail: string) =>
  detail.replace('₦5,000.00', '₦5,000.00 of a payment that is not the charge’s own');

describe('A dispute', () => {
  const first = { status: undefined, chargeStatus: 'succeeded' };
  const refunded = { chargeStatus: 'refunded' };
  const reversed = { isReversed: true };
  const foreign = { isApplied: false };
  const opensElsewhere = [told('opened', anothers(asked)), noted(anothers(asked))];
  const isWonElsewhere = [told('won', anothers(won)), noted(anothers(won)), closed];
  const opensBeside = [told('opened', asked), noted(asked)];
  const isLost = [told('lost', lost), advance('dispute lost'), closed, check];
  const isWonBeside = [told('won', won), noted(won), closed];
  const staysWon = noted(
    'The provider now reports the dispute as lost; it was won before and stays so (dsp_1).',
  );
  type Row = [what: string, Partial<DisputeState>, reported: DisputeStatus, effects: Effect[]];
  const rows: Row[] = [
    ['that opens', first, 'open', [told('opened', asked), advance('dispute opened')]],
    ['that is won', {}, 'won', [told('won', won), advance('dispute won'), closed]],
    ['that is lost', {}, 'lost', isLost],
    [
      'that is won while another is open',
      { hasOtherOpen: true },
      'won',
      [told('won', won), closed],
    ],
    ['that is lost while another is open', { hasOtherOpen: true }, 'lost', isLost],
    ['that opens about another payment', { ...first, ...foreign }, 'open', opensElsewhere],
    ['that is won about another payment', foreign, 'won', isWonElsewhere],
    ['that opens about refunded money', { ...first, ...refunded }, 'open', opensBeside],
    ['that is won about refunded money', refunded, 'won', isWonBeside],
    [
      'that the provider took the money back for',
      { ...first, ...refunded, ...reversed },
      'lost',
      [told('opened', asked), told('lost', lost), closed, check],
    ],
    ['that is won although its money went back', { ...refunded, ...reversed }, 'won', isWonBeside],
    ['that is lost after its money went back in part', reversed, 'lost', isLost],
    ['that was won and is reported as lost', { status: 'won' }, 'lost', [staysWon]],
  ];
  for (const [what, dispute, reported, effects] of rows) {
    it(`${what}: ${effects.map(nameOf).join(', ')}`, () => {
      expect(decideDispute(given(dispute), reported).effects).to.deep.equal(effects);
    });
  }

  it('has the note of the person who entered it beside each sentence', () => {
    const { effects } = decideDispute(given(first), 'won', 'Their bank called.');
    const details = effects.flatMap((one) =>
      one.type === 'append to timeline' ? one.entry.detail : [],
    );
    expect(details).to.deep.equal([`${asked} Their bank called.`, `${won} Their bank called.`]);
  });

  it('goes from what is known to what is reported, and tells its charge the facts in order', () => {
    const rows: [DisputeStatus | undefined, DisputeStatus, DisputeStatus, facts: string][] = [
      [undefined, 'open', 'open', 'dispute opened'],
      [undefined, 'won', 'won', 'dispute opened, dispute won'],
      [undefined, 'lost', 'lost', 'dispute opened, dispute lost'],
      ['open', 'open', 'open', ''],
      ['open', 'won', 'won', 'dispute won'],
      ['open', 'lost', 'lost', 'dispute lost'],
      ['won', 'open', 'won', ''],
      ['won', 'won', 'won', ''],
      ['won', 'lost', 'won', 'dispute noted'],
      ['lost', 'open', 'lost', ''],
      ['lost', 'won', 'lost', 'dispute noted'],
      ['lost', 'lost', 'lost', ''],
    ];
    for (const [known, reported, status, facts] of rows) {
      const decision = decideDispute(given({ status: known, chargeStatus: 'succeeded' }), reported);
      const told = decision.effects.flatMap((one) =>
        one.type === 'advance charge' ? one.fact.type : [],
      );
      expect([decision.status, told.join(', ')], `${known}, ${reported}`).to.deep.equal([
        ...[status, facts],
      ]);
    }
  });

  it('that its provider only calls closed ended as known, else by where the money is', () => {
    const ends = (['won', 'lost', 'open', undefined] as const).map((known) =>
      [false, true].map((isReversed) => endOf(known, isReversed)),
    );
    expect(ends).to.deep.equal([
      ['won', 'won'],
      ['lost', 'lost'],
      ['won', 'lost'],
      ['won', 'lost'],
    ]);
  });
});
