import { expect } from 'chai';
import { figureChanges } from '../../../../domain/payments/figures/changes.ts';

const PAID = new Date('2026-11-20T22:30:00Z');
const CREATED = new Date('2026-11-20T09:00:00Z');

const pending = {
  status: 'pending' as const,
  amount_kobo: 500_000,
  fee_kobo: 0,
  refunded_kobo: 0,
  occurred_at: CREATED,
  failed_at: null,
  slot: 'provider_a' as const,
};
const succeeded = {
  ...pending,
  status: 'succeeded' as const,
  occurred_at: PAID,
  fee_kobo: 7_500,
  slot: 'provider_b' as const,
};
const failed = { ...pending, status: 'failed' as const, failed_at: PAID };
const nothing = { succeeded: 0, failed: 0, collected_kobo: 0, fee_kobo: 0, refunded_kobo: 0 };
const collected = { ...nothing, succeeded: 1, collected_kobo: 500_000, fee_kobo: 7_500 };

describe('The change of a day’s figures', () => {
  it('counts a payment on the day it was paid, at the provider that took it', () => {
    expect(figureChanges(pending, succeeded)).to.deep.equal([
      { at: PAID, slot: 'provider_b', ...collected },
    ]);
  });

  it('counts a failure on the day it failed', () => {
    expect(figureChanges(pending, failed)).to.deep.equal([
      { at: PAID, slot: 'provider_a', ...nothing, failed: 1 },
    ]);
  });

  it('takes a failure back when the charge is paid after all', () => {
    expect(figureChanges(failed, succeeded)).to.deep.equal([
      { at: PAID, slot: 'provider_a', ...nothing, failed: -1 },
      { at: PAID, slot: 'provider_b', ...collected },
    ]);
  });

  it('counts a refund on the day of the payment, and nothing else again', () => {
    const refunded = { ...succeeded, status: 'refunded' as const, refunded_kobo: 500_000 };
    expect(figureChanges(succeeded, refunded)).to.deep.equal([
      { at: PAID, slot: 'provider_b', ...nothing, refunded_kobo: 500_000 },
    ]);
  });

  it('corrects a fee that a settlement states differently', () => {
    const settled = { ...succeeded, status: 'settled' as const, fee_kobo: 8_000 };
    expect(figureChanges(succeeded, settled)).to.deep.equal([
      { at: PAID, slot: 'provider_b', ...nothing, fee_kobo: 500 },
    ]);
  });

  for (const [name, before, after] of [
    ['is opened', { ...pending, status: 'initiated' as const }, pending],
    [
      'is settled with the fee stated before',
      succeeded,
      { ...succeeded, status: 'settled' as const },
    ],
    ['is disputed', succeeded, { ...succeeded, status: 'disputed' as const }],
  ] as const)
    it(`is none when a charge ${name}`, () => {
      expect(figureChanges(before, after)).to.deep.equal([]);
    });
});
