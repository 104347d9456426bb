import { DAY_MS } from '../shared/units.ts';

/** A record is younger than its payment. A day more allows for differing clocks and zones. */
const SLACK_MS = DAY_MS;

/**
 * Tells of each page of a list in turn whether it ends before a payment was captured, so that all
 * later ones are older still: only while the newest come first does a row say anything about those
 * after it. A row without a time says nothing.
 */
export function pastCheck<Row>(
  capturedAt: Date,
  createdAt: (row: Row) => Date | null,
): (rows: readonly Row[]) => boolean {
  const endMs = capturedAt.getTime() - SLACK_MS;
  let lastMs = Number.POSITIVE_INFINITY;
  let isNewestFirst = true;
  return (rows) => {
    for (const row of rows) {
      const createdMs = createdAt(row)?.getTime() ?? lastMs;
      isNewestFirst &&= createdMs <= lastMs;
      lastMs = createdMs;
    }
    return isNewestFirst && lastMs < endMs;
  };
}
