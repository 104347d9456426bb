/** The promise's outcome, or an error when it takes longer than `ms`. The work itself goes on: nobody waits for it any more. */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // What has arrived while this process itself was busy is read first: it was in time.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`not done within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
