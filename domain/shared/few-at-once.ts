import { Problem } from './problems.ts';

/** How much of a costly work a process does. */
export interface AtOnce {
  running: number;
  /** Beyond it a call is refused: a queue without an end only moves the flood into memory. */
  waiting: number;
}

/**
 * The same work, but at most so much of it at once; the rest wait their turn, first come, first
 * served. Throws `unavailable` when too many wait already.
 */
export function fewAtOnce<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
  most: AtOnce,
): (...args: Args) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (...args) => {
    if (running < most.running) running++;
    else if (waiting.length < most.waiting)
      await new Promise<void>((resolve) => waiting.push(resolve));
    else throw tooBusy();
    try {
      return await work(...args);
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // has this one's place now
      else running--;
    }
  };
}

function tooBusy(): Problem {
  const message = 'Too many people want this at the same moment. Try again in a few seconds.';
  return new Problem('unavailable', message, { headers: { 'Retry-After': '5' } });
}
