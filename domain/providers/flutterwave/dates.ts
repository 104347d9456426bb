const DAY_MS = 24 * 3_600_000;

/** The days a list is asked for. They are somebody's days, Lagos' or UTC's: one more on either side leaves nothing out. */
export function windowSince(since: Date, now: Date): { from: string; to: string } {
  return {
    from: dayOf(since.getTime() - DAY_MS),
    to: dayOf(Math.max(since.getTime(), now.getTime()) + DAY_MS),
  };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
