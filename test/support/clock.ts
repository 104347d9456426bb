/**
 * A clock that moves by a millisecond each time it is read, so that what happens
 * later is later. Tests move it.
 */
export interface TestClock {
  (): Date;
  advance(ms: number): void;
}

export function createClock(start = new Date()): TestClock {
  let nowMs = start.getTime();
  const clock = () => new Date(nowMs++);
  return Object.assign(clock, {
    advance(ms: number) {
      nowMs += ms;
    },
  });
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
