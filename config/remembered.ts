/** Runs a check at most once at a time and remembers a good result; a bad one is checked anew. */
export function remembered<T>(
  check: () => Promise<T>,
  { isGood, forMs }: { isGood: (result: T) => boolean; forMs: number },
): () => Promise<T> {
  let last: Promise<T> | undefined;
  return () => {
    last ??= check().then((result) => {
      const forget = () => {
        last = undefined;
      };
      if (isGood(result)) setTimeout(forget, forMs).unref();
      else forget();
      return result;
    });
    return last;
  };
}
