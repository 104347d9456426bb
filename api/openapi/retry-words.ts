import { giveUpAfterMs, retryWaitsMs } from '../../domain/webhooks/delivery/schedule.ts';

const units = [
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const;

/** E.g. `1 minute, 5 minutes and 2 hours`. */
export const retryWaits = new Intl.ListFormat('en-GB').format(retryWaitsMs.map(durationOf));

/** E.g. `24 hours`. */
export const retryLimit = durationOf(giveUpAfterMs);

/** The unit is the largest that it is a whole number of. */
function durationOf(durationMs: number): string {
  const { unit, ms } = units.find((one) => durationMs % one.ms === 0)!;
  const format = new Intl.NumberFormat('en-GB', { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(durationMs / ms);
}
