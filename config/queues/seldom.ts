const EVERY_MS = 60_000;

/**
 * Tells one error a minute. While its store refuses or is away, a worker meets the same one many
 * times a second.
 */
export function seldom(
  onError: (error: Error) => void,
  nowMs: () => number = () => performance.now(),
): (error: Error) => void {
  let againMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (nowMs() < againMs) return;
    againMs = nowMs() + EVERY_MS;
    onError(error);
  };
}
