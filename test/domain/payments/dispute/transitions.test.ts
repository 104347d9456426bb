import { expect } from 'chai';
import {
  type DisputeStatus,
  decideDispute,
} from '../../../../domain/payments/dispute/transitions.ts';

describe('The lifecycle of a dispute', () => {
  const rows: [
    known: DisputeStatus | undefined,
    told: DisputeStatus,
    moves: DisputeStatus[],
    contradicts: boolean,
  ][] = [
    [undefined, 'open', ['open'], false],
    [undefined, 'won', ['open', 'won'], false],
    [undefined, 'lost', ['open', 'lost'], false],
    ['open', 'open', [], false],
    ['open', 'won', ['won'], false],
    ['open', 'lost', ['lost'], false],
    ['won', 'open', [], false],
    ['won', 'won', [], false],
    ['won', 'lost', [], true],
    ['lost', 'open', [], false],
    ['lost', 'won', [], true],
    ['lost', 'lost', [], false],
  ];
  for (const [known, told, moves, contradicts] of rows) {
    it(`${known ?? 'not known'}, then told ${told}: ${moves.join(', ') || 'no move'}${contradicts ? ', against what was decided' : ''}`, () => {
      expect(decideDispute(known, told)).to.deep.equal({ moves, contradicts });
    });
  }
});
