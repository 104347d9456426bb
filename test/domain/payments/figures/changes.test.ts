import { expect } from 'chai';
import { figureChanges } from '../../../../domain/payments/figures/changes.ts';

const PAID = new Date('2026-11-20T22:30:00Z');
const CREATED = new Date('2026-11-20T09:00:00Z');

const pending = {
  ...{ status: 'pending' as const, amount_kobo: 500_000, fee_kobo: 0, refunded_kobo: 0 },
  ...{ occurred_at: CREATED, first_failed_at: null, slot: 'provider_a' as const },
  channel: null,
};
const succeeded = {
  ...{ ...pending, status: 'succeeded' as const, occurred_at: PAID, fee_kobo: 7_500 },
  ...{ slot: 'provider_b' as const, channel: 'card' as const },
};
const failed = { ...pending, status: 'failed' as const, first_failed_at: PAID };
const refunded = { ...succeeded, status: 'refunded' as const, refunded_kobo: 500_000 };
const settled = { ...succeeded, status: 'settled' as const };
const otherFee = { ...settled, fee_kobo: 8_000 };
const nothing = { succeeded: 0, failed: 0, collected_kobo: 0, fee_kobo: 0, refunded_kobo: 0 };
const atA = { at: PAID, slot: 'provider_a', channel: 'none', ...nothing };
const atB = { at: PAID, slot: 'provider_b', channel: 'card', ...nothing };
const noFailure = { ...atA, failed: -1 };
const wentBack = { ...atB, refunded_kobo: 500_000 };
const dearer = { ...atB, fee_kobo: 500 };
const collected = { ...atB, succeeded: 1, collected_kobo: 500_000, fee_kobo: 7_500 };

describe('The change of a day’s figures', () => {
  type Charge = Parameters<typeof figureChanges>[0];
  const rows: Record<string, [before: Charge, after: Charge, ...changes: object[]]> = {
    'counts a payment on its day, at the provider that took it': [pending, succeeded, collected],
    'counts a failure on the day it failed': [pending, failed, { ...atA, failed: 1 }],
    'takes a failure back when it is paid after all': [failed, succeeded, noFailure, collected],
    'counts a refund on the day of the payment, and nothing else': [succeeded, refunded, wentBack],
    'corrects a fee that a settlement states differently': [succeeded, otherFee, dearer],
    'is none when a charge is opened': [{ ...pending, status: 'initiated' }, pending],
    'is none when a charge is settled with the fee stated before': [succeeded, settled],
    'is none when a charge is disputed': [succeeded, { ...succeeded, status: 'disputed' }],
  };
  for (const [title, [before, after, ...changes]] of Object.entries(rows))
    it(title, () => expect(figureChanges(before, after)).to.deep.equal(changes));
});
