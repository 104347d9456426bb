import { expect } from 'chai';
import { nextTryAt } from '../../../../domain/webhooks/delivery/schedule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const firstAt = new Date('2026-03-02T09:00:00Z');
const STEPS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
const MOST = 1 - Number.EPSILON;

interface Receiver {
  /** In [0, 1). */
  random?: number;
  retryAfterMs?: number | null;
  tryMs?: number;
}

function waitsOf({ random = 0, retryAfterMs = null, tryMs = 0 }: Receiver): number[] {
  const waits: number[] = [];
  let endedAt = new Date(firstAt.getTime() + tryMs);
  for (let tries = 1; tries < 50; tries++) {
    const next = nextTryAt({ tries, endedAt, firstAt, retryAfterMs }, random);
    if (!next) break;
    waits.push(next.getTime() - endedAt.getTime());
    endedAt = new Date(next.getTime() + tryMs);
  }
  return waits;
}

describe('A delivery that fails', () => {
  it('is retried after 1 m, 5 m, 30 m, 2 h, 6 h and 12 h, then exhausted', () => {
    expect(waitsOf({})).to.deep.equal(STEPS);
  });

  it('waits up to a tenth longer, never less', () => {
    expect(waitsOf({ random: MOST })).to.deep.equal(STEPS.map((ms) => Math.round(ms * 1.1)));
    for (const random of [0.2, 0.5, 0.9]) {
      for (const [index, waited] of waitsOf({ random }).entries())
        expect(waited).to.be.within(STEPS[index]!, STEPS[index]! * 1.1);
    }
  });

  it('counts each wait from the end of the previous try', () => {
    expect(waitsOf({ tryMs: 10 * SECOND })).to.deep.equal(STEPS);
  });

  it('is never tried later than 24 hours after its first try', () => {
    const last = { tries: 6, firstAt, retryAfterMs: null };
    expect(
      nextTryAt({ ...last, endedAt: new Date(firstAt.getTime() + 12 * HOUR) }, 0),
    ).to.deep.equal(new Date(firstAt.getTime() + DAY));
    expect(
      nextTryAt({ ...last, endedAt: new Date(firstAt.getTime() + 12 * HOUR + 1) }, 0),
    ).to.equal(null);
  });
});

describe('Retry-After', () => {
  it('lengthens a wait, up to the next step', () => {
    expect(waitsOf({ retryAfterMs: 3 * MINUTE })[0]).to.equal(3 * MINUTE);
    expect(waitsOf({ retryAfterMs: 90 * DAY }).slice(0, 4)).to.deep.equal(STEPS.slice(1, 5));
  });

  it('cannot lengthen the last wait', () => {
    const endedAt = new Date(firstAt.getTime() + 9 * HOUR);
    const next = nextTryAt({ tries: 6, endedAt, firstAt, retryAfterMs: 90 * DAY }, 0);
    expect(next?.getTime()).to.equal(endedAt.getTime() + 12 * HOUR);
  });

  it('has jitter too, up to a tenth above the next step', () => {
    expect(waitsOf({ retryAfterMs: 90 * DAY, random: MOST })[0]).to.equal(5 * MINUTE * 1.1);
  });
});
