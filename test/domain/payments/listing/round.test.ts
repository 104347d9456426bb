import { expect } from 'chai';
import {
  beginRound,
  chooseToAsk,
  endRound,
  type ListingProgress,
  nextRoundAfterFailure,
  nextRoundAt,
} from '../../../../domain/payments/listing/round.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const start = new Date('2026-03-02T09:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const lifetimeMs = 24 * HOUR;

const nothing: ListingProgress = { round: null, whole: null, asked: {}, failures: 0 };
const backOf = ({ round }: ListingProgress) =>
  (Date.parse(round!.to) - Date.parse(round!.from)) / HOUR;

describe('A round of listing payments', () => {
  it('covers every charge that can be paid, at first and each minute while that costs few pages', () => {
    expect(backOf(beginRound(null, start, lifetimeMs))).to.equal(26);
    const cheap = { ...nothing, whole: { at: start.toISOString(), pages: 30 } };
    expect(backOf(beginRound(cheap, at(MINUTE), lifetimeMs))).to.equal(26);
  });

  it('covers the last half hour where a whole one costs more, which comes less often then', () => {
    const dear = { ...nothing, whole: { at: start.toISOString(), pages: 300 } };
    expect(backOf(beginRound(dear, at(9 * MINUTE), lifetimeMs))).to.equal(0.5);
    expect(backOf(beginRound(dear, at(10 * MINUTE), lifetimeMs))).to.equal(26);
    const dearest = { ...nothing, whole: { at: start.toISOString(), pages: 5_000 } };
    expect(backOf(beginRound(dearest, at(59 * MINUTE), lifetimeMs))).to.equal(0.5);
    expect(backOf(beginRound(dearest, at(HOUR), lifetimeMs))).to.equal(26);
  });

  it('is a whole one at any time while a whole one costs a minute, and not beyond', () => {
    const backAfter = (pages: number, seconds: number) =>
      backOf(
        beginRound(
          { ...nothing, whole: { at: start.toISOString(), pages } },
          at(seconds * SECOND),
          lifetimeMs,
        ),
      );
    expect([backAfter(30, 1), backAfter(31, 61), backAfter(31, 62)]).to.deep.equal([26, 0.5, 26]);
  });

  it('of what is recent leaves the last whole one as it was', () => {
    const whole = { at: start.toISOString(), pages: 300 };
    const recent = beginRound({ ...nothing, whole }, at(9 * MINUTE), lifetimeMs);
    expect(endRound(recent)).to.deep.equal({ ...nothing, whole });
  });

  it('begins at the first page, with no failures', () => {
    const [from, to] = [at(-26 * HOUR).toISOString(), start.toISOString()];
    expect(beginRound(null, start, lifetimeMs)).to.deep.equal({
      ...nothing,
      round: { from, to, cursor: null, pages: 0, isWhole: true },
    });
  });

  it('goes on where it was cut short, and counts its pages when it ends', () => {
    const begun = beginRound(null, start, lifetimeMs);
    const cut = { ...begun, round: { ...begun.round, cursor: '3', pages: 2 } };
    const later = beginRound(cut, at(MINUTE), lifetimeMs);
    expect(later.round).to.deep.equal(cut.round);
    const ended = endRound({ ...later, round: { ...later.round, pages: 9 }, failures: 2 });
    const whole = { at: start.toISOString(), pages: 9 };
    expect(ended).to.deep.equal({ ...nothing, whole });
  });

  it('comes each minute or quarter of an hour, at a moment of its connection’s own', () => {
    const ids = Array.from({ length: 60 }, () => newId('con', start));
    for (const [isLikely, period] of [
      [true, MINUTE],
      [false, 15 * MINUTE],
    ] as const) {
      const firsts = ids.map((id) => nextRoundAt(start, isLikely, id).getTime());
      expect(new Set(firsts).size).to.be.above(40);
      expect(Math.min(...firsts)).to.be.above(start.getTime());
      expect(Math.max(...firsts)).to.be.at.most(start.getTime() + period);
      const seconds = ids.map((id, n) => nextRoundAt(new Date(firsts[n]!), isLikely, id).getTime());
      expect(seconds).to.deep.equal(firsts.map((first) => first + period));
    }
  });

  it('comes later and later while the list cannot be read', () => {
    const waits = [1, 2, 3, 4, 5, 6].map(
      (failures) => (nextRoundAfterFailure(start, failures).getTime() - start.getTime()) / MINUTE,
    );
    expect(waits).to.deep.equal([1, 2, 5, 15, 30, 30]);
  });
});

describe('A listed payment that is not on record', () => {
  it('is asked about after 1, 2, 4, … minutes, at most an hour', () => {
    const asked: number[] = [];
    let progress = nothing;
    for (let minute = 0; minute <= 200; minute++) {
      const choice = chooseToAsk(progress, ['a'], at(minute * MINUTE));
      if (choice.chosen.has('a')) asked.push(minute);
      progress = choice.progress;
    }
    expect(asked).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('is remembered, with at most 499 others', () => {
    const ids = Array.from({ length: 600 }, (_, n) => `${n}`);
    const { chosen, progress } = chooseToAsk(nothing, ids, start);
    expect(chosen.size).to.equal(600);
    expect(Object.keys(progress.asked)).to.have.length(500);
    expect(progress.asked).to.have.property('599');
  });
});
