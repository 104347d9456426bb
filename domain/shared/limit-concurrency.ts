import { Problem } from './problems.ts';

/** First come, first served. Throws `unavailable` when too many wait. */
export function limitConcurrency<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
  limits: {
    running: number;
    /** Beyond it calls are refused: a queue without a limit would fill the memory. */
    waiting: number;
  },
): (...args: Args) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (...args) => {
    if (running < limits.running) running++;
    else if (waiting.length < limits.waiting)
      await new Promise<void>((resolve) => waiting.push(resolve));
    else throw tooBusy();
    try {
      return await work(...args);
    } finally {
      const next = waiting.shift();
      if (next)
        next(); // runs in place of the one that ended
      else running--;
    }
  };
}

function tooBusy(): Problem {
  const message = 'Too many people are doing this at the same moment. Try again in a few seconds.';
  return new Problem('unavailable', message, { headers: { 'Retry-After': '5' } });
}
