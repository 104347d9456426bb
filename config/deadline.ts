/** What a promise rejects with that takes too long. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/**
 * The promise's outcome, or a `DeadlineError` when it takes longer than `ms`. The work itself goes
 * on, but nobody waits for it.
 */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new DeadlineError(`not done within ${ms} ms`));
    // What arrived while this process was busy is read first: it was in time.
    timer = setTimeout(() => setImmediate(giveUp), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
