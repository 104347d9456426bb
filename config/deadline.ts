export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** Rejects with a `DeadlineError` after `ms`. The work itself continues. */
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
