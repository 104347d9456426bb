import { createCharge } from './charges/create-charge.ts';
import { findCharge, readCharge } from './charges/read-charge.ts';
import { readTimeline } from './charges/read-timeline.ts';
import type { AnyRoute } from './route.ts';
import { readTransaction } from './transactions/read-transaction.ts';

/** Every endpoint below /v1, in the order they are matched. */
export const routes: readonly AnyRoute[] = [createCharge, findCharge, readCharge, readTimeline, readTransaction];
