import { expect } from 'chai';
import {
  firstCheckAfterCancel,
  firstCheckAfterFailure,
  isLongLimited,
  isLongSilent,
  nextCheckAt,
  nextReplacementAt,
  nextUnplannedCheckAt,
  type Watched,
} from '../../../../domain/payments/attempt/schedule.ts';
import { HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const acceptedAt = new Date('2026-03-02T09:00:00Z');
const at = (ms: number) => new Date(acceptedAt.getTime() + ms);
const since = (date: Date) => date.getTime() - acceptedAt.getTime();

function watched(overrides: Partial<Watched> = {}): Watched {
  return {
    ...{ since: acceptedAt, linkExpiresAt: null, chargeExpiresAt: at(24 * HOUR), isListed: false },
    ...{ cancelRequestedAt: null, failedAt: null, isDeclined: false, isUnderpaid: false },
    ...{ paidAt: null, verifiedAt: null, ...overrides },
  };
}

/**
 * Every check of an attempt whose provider always answers, each made the moment it is due, in ms
 * from acceptance.
 */
function checksOf(attempt: Watched, from = acceptedAt): number[] {
  const checks: number[] = [];
  for (
    let due = nextCheckAt(attempt, from);
    due && checks.length < 500;
    due = nextCheckAt({ ...attempt, verifiedAt: due }, due)
  ) {
    checks.push(since(due));
  }
  return checks;
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => from + n * step);
const quick = [10, 30, 120, 600].map((seconds) => seconds * SECOND);
const afterCancel = [5, 15, 45, 120, 300, 600, 1200].map((seconds) => seconds * SECOND);
const quickEnd = quick.at(-1)!;
const quarterHours = (until: number) => range(quickEnd + 15 * MINUTE, until, 15 * MINUTE);

describe('An attempt is checked', () => {
  it("four times within ten minutes, at its link's end and at the charge's end", () => {
    const linkExpiresAt = at(40 * MINUTE);
    const ends = [40 * MINUTE, 24 * HOUR];
    expect(checksOf(watched({ isListed: true, linkExpiresAt }))).to.deep.equal([...quick, ...ends]);
  });

  it("every quarter of an hour to the charge's end where payments are not listed", () => {
    expect(checksOf(watched())).to.deep.equal([...quick, ...quarterHours(24 * HOUR), 24 * HOUR]);
  });

  it("hourly from the link's end to the charge's end where payments are not listed", () => {
    const linkEnd = 40 * MINUTE;
    const checks = checksOf(watched({ linkExpiresAt: at(linkEnd) }));
    expect(checks).to.deep.equal([
      ...quick,
      ...quarterHours(linkEnd),
      ...range(linkEnd, 24 * HOUR, HOUR),
      24 * HOUR,
    ]);
  });

  it('at the end of a link that is shorter than the quick checks', () => {
    const checks = checksOf(watched({ linkExpiresAt: at(MINUTE), chargeExpiresAt: at(3 * HOUR) }));
    expect(checks).to.deep.equal(
      [10, 30, 60, 3660, 7260, 10_800].map((seconds) => seconds * SECOND),
    );
  });

  it("at the charge's end, wherever it falls", () => {
    for (const end of [3 * SECOND, 5 * SECOND, 100 * SECOND, 26 * MINUTE, 7 * HOUR + 1]) {
      expect(checksOf(watched({ chargeExpiresAt: at(end) })).at(-1), `${end} ms`).to.equal(end);
    }
  });

  it('hourly after the end while the provider is silent, and no more once it has answered', () => {
    const silent = watched({ verifiedAt: at(23 * HOUR) });
    expect(nextCheckAt(silent, at(24 * HOUR))).to.deep.equal(at(25 * HOUR));
    expect(nextCheckAt(silent, at(30 * HOUR + MINUTE))).to.deep.equal(at(31 * HOUR));
    expect(nextCheckAt({ ...silent, verifiedAt: at(24 * HOUR) }, at(30 * HOUR))).to.equal(null);
  });

  it('soon after the merchant asks to cancel, then hourly while the provider is silent', () => {
    const cancelRequestedAt = at(2 * HOUR);
    const silent = watched({ cancelRequestedAt, verifiedAt: at(HOUR) });
    const checks: number[] = [];
    for (
      let due = nextCheckAt(silent, cancelRequestedAt)!;
      checks.length < 10;
      due = nextCheckAt(silent, due)!
    )
      checks.push(since(due));
    const hours = [1, 2, 3].map((hour) => hour * HOUR);
    expect(checks.map((ms) => ms - 2 * HOUR)).to.deep.equal([...afterCancel, ...hours]);
    expect(firstCheckAfterCancel(cancelRequestedAt)).to.deep.equal(
      nextCheckAt(silent, cancelRequestedAt),
    );
    expect(nextCheckAt({ ...silent, verifiedAt: cancelRequestedAt }, cancelRequestedAt)).to.equal(
      null,
    );
  });

  it('1, 6, 24 and 72 hours after the charge failed, and never again', () => {
    const failedAt = at(2 * HOUR);
    const checks = checksOf(watched({ failedAt }), failedAt);
    expect(checks.map((ms) => (ms - 2 * HOUR) / HOUR)).to.deep.equal([1, 6, 24, 72]);
    expect(firstCheckAfterFailure(failedAt, false)).to.deep.equal(
      nextCheckAt(watched({ failedAt }), failedAt),
    );
  });

  it('sooner after a decline, because the payer may use another card at the same page', () => {
    const failedAt = at(2 * MINUTE);
    const declined = watched({ failedAt, isDeclined: true });
    const checks = checksOf(declined, failedAt).map((ms) => (ms - 2 * MINUTE) / MINUTE);
    expect(checks).to.deep.equal([0.5, 2, 10, 60, 6 * 60, 24 * 60, 72 * 60]);
    expect(firstCheckAfterFailure(failedAt, true)).to.deep.equal(nextCheckAt(declined, failedAt));
  });

  it('a few times after it paid its charge where it may be paid again, and at its link’s end', () => {
    const paidAt = at(10 * MINUTE);
    const paid = watched({ paidAt, linkExpiresAt: at(24 * HOUR), verifiedAt: paidAt });
    const minutes = checksOf(paid, paidAt).map((ms) => (ms - 10 * MINUTE) / MINUTE);
    expect(minutes).to.deep.equal([1, 5, 30, 6 * 60, 24 * 60 - 10]);
    expect(checksOf({ ...paid, linkExpiresAt: null }, paidAt)).to.have.length(4);
    const early = checksOf({ ...paid, linkExpiresAt: at(20 * MINUTE) }, paidAt);
    expect(early.map((ms) => (ms - 10 * MINUTE) / MINUTE)).to.deep.equal([1, 5, 10, 30, 6 * 60]);
  });

  it('five seconds after a first check after a decline that got no answer', () => {
    const silent = watched({ failedAt: acceptedAt, isDeclined: true });
    expect(nextCheckAt(silent, at(30 * SECOND))).to.deep.equal(at(35 * SECOND));
  });

  it('no second time where the answer came up to a second before it was due', () => {
    const next = (verifiedAt: Date) =>
      nextCheckAt(watched({ failedAt: acceptedAt, verifiedAt }), at(HOUR));
    expect(next(at(HOUR - SECOND))).to.deep.equal(at(6 * HOUR));
    expect(next(at(HOUR - SECOND - 1))).to.deep.equal(at(HOUR + 2 * MINUTE));
  });

  it('beyond the schedule again after an hour, or an eighth of the time nothing was said of it', () => {
    const next = (verified_at: Date | null, now: Date) =>
      nextUnplannedCheckAt({ verified_at, created_at: acceptedAt }, now);
    expect(next(at(HOUR), at(9 * HOUR))).to.deep.equal(at(10 * HOUR));
    expect(next(at(HOUR), at(17 * HOUR))).to.deep.equal(at(19 * HOUR));
    expect(next(null, at(16 * HOUR))).to.deep.equal(at(18 * HOUR));
  });

  it('again, after growing waits, where a check after a failure or a payment got no answer', () => {
    const failedAt = acceptedAt;
    const silent = watched({ failedAt, verifiedAt: at(HOUR) });
    const checks: number[] = [];
    for (let due = at(6 * HOUR); since(due) < 72 * HOUR; due = nextCheckAt(silent, due)!)
      checks.push(since(due) / HOUR);
    const growing = [6, 6.2, 6.4, 6.8, 7.6, 9.2, 12.4, 18.8];
    const later = [24, 24.8, 25.6, 27.2, 30.4, 36.8, 49.6];
    expect(checks).to.deep.equal([...growing, ...later]);
    expect(nextCheckAt(silent, at(80 * HOUR)), 'after the last one too').to.deep.equal(
      at(88 * HOUR),
    );
    const answered = { ...silent, verifiedAt: at(72 * HOUR) };
    expect(nextCheckAt(answered, at(80 * HOUR))).to.equal(null);
  });

  it('daily past the end while a person decides about an underpayment', () => {
    const underpaid = watched({ isUnderpaid: true, verifiedAt: at(24 * HOUR) });
    expect(nextCheckAt(underpaid, at(24 * HOUR))).to.deep.equal(at(48 * HOUR));
    expect(nextCheckAt(underpaid, at(50 * HOUR))).to.deep.equal(at(72 * HOUR));
  });

  it('at times that do not move when a check is late or an extra one is made', () => {
    const points = new Set(checksOf(watched()));
    for (let now = 0; now < 24 * HOUR; now += 7 * MINUTE + 1) {
      const next = nextCheckAt(watched(), at(now))!;
      expect(points.has(since(next)), `after ${now} ms`).to.equal(true);
      expect(since(next)).to.be.greaterThan(now);
    }
  });
});

describe('An attempt that the provider has not acknowledged', () => {
  it('is replaced at once when its link is lost, and later the more links were lost', () => {
    const waits = range(1, 10, 1).map((n) => since(nextReplacementAt(n, acceptedAt)) / SECOND);
    expect(waits).to.deep.equal([0, 5, 15, 60, 300, 900, 3600, 3600, 3600]);
  });

  it('may be created at another provider after a minute of silence', () => {
    expect(isLongSilent(acceptedAt, at(MINUTE - 1))).to.equal(false);
    expect(isLongSilent(acceptedAt, at(MINUTE))).to.equal(true);
  });

  it('waits ten seconds for a provider that takes no calls, and no longer', () => {
    const waits = [null, 0, 10 * SECOND, 10 * SECOND + 1];
    expect(waits.map(isLongLimited)).to.deep.equal([false, false, false, true]);
  });
});
