/** In ms, at least 1, so that a call begun afterwards times out. */
export function timeLeft(clock: () => Date, totalMs: number): () => number {
  const startedMs = clock().getTime();
  return () => Math.max(1, totalMs - Math.max(0, clock().getTime() - startedMs));
}
