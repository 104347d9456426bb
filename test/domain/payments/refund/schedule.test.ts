import { expect } from 'chai';
import {
  isPastSending,
  nextLookupAt,
  nextRefundCheckAfterSilence,
  nextRefundCheckAt,
} from '../../../../domain/payments/refund/schedule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const since = new Date('2026-03-02T10:00:00Z');
const later = (ms: number) => new Date(since.getTime() + ms);
const offset = (at: Date | null) => at && at.getTime() - since.getTime();

describe('A refund that the provider accepted', () => {
  const check = (ms: number) => offset(nextRefundCheckAt(since, later(ms)));

  it('is checked after 2, 5 and 15 seconds, 1 and 5 minutes, then hourly, then every 6 hours', () => {
    const checks: (number | null)[] = [];
    for (let at: number | null = 0; at !== null && checks.length < 32; checks.push(at))
      at = check(at);
    expect(checks.slice(0, 5)).to.deep.equal(
      [2, 5, 15, 60, 300].map((seconds) => seconds * SECOND),
    );
    expect(checks.slice(5, 29)).to.deep.equal(Array.from({ length: 24 }, (_, n) => (n + 1) * HOUR));
    expect(checks.slice(29)).to.deep.equal([30, 36, 42].map((hours) => hours * HOUR));
  });

  it('is checked at a point of its schedule, one tick before it and not one after', () => {
    expect(check(2 * SECOND - 1)).to.equal(2 * SECOND);
    expect(check(2 * SECOND)).to.equal(5 * SECOND);
    expect(check(DAY - 1)).to.equal(DAY);
    expect(check(DAY)).to.equal(DAY + 6 * HOUR);
  });

  it('is checked for 20 days, and never later', () => {
    expect(check(20 * DAY - 7 * HOUR)).to.equal(20 * DAY - 6 * HOUR);
    expect(check(20 * DAY - 1)).to.equal(20 * DAY);
    expect(check(20 * DAY)).to.equal(null);
  });
});

describe('A refund whose check got no answer', () => {
  const again = (ms: number) => {
    const at = offset(nextRefundCheckAfterSilence(since, later(ms)));
    return at === null ? null : at - ms;
  };

  it('is asked about again after five seconds at least, and at its next check at the latest', () => {
    expect(again(15 * SECOND)).to.equal(5 * SECOND);
    expect(again(58 * SECOND)).to.equal(2 * SECOND);
  });

  it('waits as long again as it was silent since its check', () => {
    expect(again(MINUTE + 20 * SECOND)).to.equal(20 * SECOND);
    expect(again(HOUR + 10 * MINUTE)).to.equal(10 * MINUTE);
    expect(again(HOUR + 40 * MINUTE), 'up to the next').to.equal(20 * MINUTE);
  });

  it('waits a thirtieth of its age at least', () => {
    expect(again(HOUR)).to.equal(2 * MINUTE);
    expect(again(5 * MINUTE)).to.equal(10 * SECOND);
    expect(again(2 * DAY)).to.equal((2 * DAY) / 30);
  });

  it('is given up after 20 days', () => {
    expect(again(20 * DAY)).to.equal(null);
  });
});

describe('A refund whose outcome is not known', () => {
  const lookup = (ms: number) => offset(nextLookupAt(since, later(ms)));

  it('is looked for 5 and 30 minutes and 2 hours after it was sent, and then not any more', () => {
    const steps = [0, 5 * MINUTE - 1, 5 * MINUTE, 30 * MINUTE, 2 * HOUR - 1, 2 * HOUR];
    expect(steps.map(lookup)).to.deep.equal([
      ...[5 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 2 * HOUR],
      null,
    ]);
  });
});

describe('An approved refund', () => {
  it('may be sent for seven days, and not a tick longer', () => {
    expect(isPastSending(since, later(7 * DAY - 1))).to.equal(false);
    expect(isPastSending(since, later(7 * DAY))).to.equal(true);
  });
});
