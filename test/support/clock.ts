/**
 * A clock that moves by a millisecond each time it is read, so that what happens
 * later is later. Tests move it.
 */
export interface TestClock {
  (): Date;
  advance(ms: number): void;
  stopAt(at: Date): void;
}

export function createClock(start = new Date()): TestClock {
  let nowMs = start.getTime();
  let tickMs = 1;
  const clock = () => {
    const now = new Date(nowMs);
    nowMs += tickMs;
    return now;
  };
  return Object.assign(clock, {
    advance(ms: number) {
      nowMs += ms;
    },
    stopAt(at: Date) {
      nowMs = at.getTime();
      tickMs = 0;
    },
  });
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The day of most businesses, which is an hour ahead of UTC's. */
export const dayInLagos = (moment: Date): string =>
  new Date(moment.getTime() + HOUR).toISOString().slice(0, 10);
