import { expect } from 'chai';
import { DAY } from '../../../../support/clock.ts';
import { ourFirst, type Payout } from '../fixture.ts';
import { dayOf, payday } from './model.ts';
import type { World } from './run-history.ts';

/**
 * Expects that payouts that cannot be read hide nothing: each is a discrepancy, every other one is
 * read, and payments in none of them are missing in time.
 */
export async function expectOthersRead(world: World): Promise<void> {
  const { fixture, payouts, payments, gone, ledger } = world;
  const landed = payouts.filter(({ state }) => state === 'landed');
  const unread = landed.filter(({ providerSettlementId: id }) => isUnread(world, id));
  const unclear = landed.filter(
    (payout) => !unread.includes(payout) && unclearLineOf(world, payout),
  );
  const settlements = await fixture.settlements();
  const open = await fixture.discrepancies();
  const nameOf = (id: string | null) =>
    settlements.find((settlement) => settlement.id === id)?.provider_settlement_id;
  expect(
    open.flatMap(({ kind, settlement_id: id }) => (kind === 'unreadable' ? nameOf(id) : [])).sort(),
    'what cannot be read',
  ).to.deep.equal(namesOf([...unread, ...unclear]));
  const compared = settlements.filter(
    ({ status, step }) => status !== 'failed' && step === 'reconciled',
  );
  expect(
    compared.map(({ provider_settlement_id: name }) => name).sort(),
    'every other payout is compared',
  ).to.deep.equal(namesOf(landed.filter((payout) => ![...unread, ...unclear].includes(payout))));

  const listed = new Set(
    landed
      .filter((payout) => !unread.includes(payout))
      .flatMap(({ lines }) => lines.map((line) => line.providerPaymentId)),
  );
  const late = dayBefore(dayOf(ledger.clock()), 2);
  const lost = payments.filter(
    ({ id, at, isRecorded }) =>
      isRecorded &&
      !listed.has(id) &&
      payday(at) < late &&
      !gone.some(({ paymentId }) => paymentId === id) &&
      !unread.some(({ dueOn }) => dueOn! >= payday(at) && dayBefore(dueOn!, 2) <= payday(at)),
  );
  const missing = open.flatMap(({ kind, charge_id: id }) => (kind === 'missing' ? [id] : []));
  expect(missing, 'what is missing').to.include.members(lost.map(({ made }) => made.chargeId));
  for (const { id, made } of payments)
    if (listed.has(id)) expect(missing, `${id} is in a payout`).not.to.include(made.chargeId);

  for (const payout of unclear) await expectNotSettled(world, payout);
  expect(await settledUnpaid(world), 'no unpaid charge is settled').to.deep.equal([]);
}

export function settledUnpaid({ ledger }: World): Promise<unknown[]> {
  return ledger.rows(
    'select id from charges where capture_id is null and (settled_at is not null or settlement_id is not null)',
  );
}

function isUnread({ fixture }: World, id: string): boolean {
  return fixture.unreadable.has(id) || fixture.unclear.get(id) === 'its statement';
}

function unclearLineOf({ fixture }: World, { providerSettlementId: id, lines }: Payout) {
  return fixture.unclear.get(id) === 'our line' ? ourFirst(lines) : undefined;
}

async function expectNotSettled(world: World, payout: Payout): Promise<void> {
  const { providerPaymentId: id } = unclearLineOf(world, payout)!;
  const payment = world.payments.find((one) => one.id === id);
  const holders = world.payouts.filter(({ lines }) =>
    lines.some((line) => line.providerPaymentId === id),
  );
  if (!payment || holders.length > 1) return;
  expect(await world.fixture.charge(payment.made), id).to.include({ settled_at: null });
}

function namesOf(payouts: readonly Payout[]): string[] {
  return payouts.map(({ providerSettlementId }) => providerSettlementId).sort();
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);
}
