/** The rejection of a promise that takes too long. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/**
 * Waits for a promise, but rejects with a `DeadlineError` when it takes longer than `ms`. The work
 * itself continues.
 */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new DeadlineError(`not finished within ${ms} ms`));
    // A result that arrived while this process was busy is read first: it was in time.
    timer = setTimeout(() => setImmediate(giveUp), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
