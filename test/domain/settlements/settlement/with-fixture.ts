import { expect } from 'chai';
import { acceptOrReturnReview } from '../../../../domain/payments/commands/accept-or-return-review.ts';
import type { DisputeRow } from '../../../../domain/payments/dispute/row.ts';
import { postDispute } from '../../../../domain/payments/posting/post-dispute.ts';
import { postReturns } from '../../../../domain/payments/posting/post-returns.ts';
import { closeDiscrepancy } from '../../../../domain/settlements/discrepancy/close.ts';
import type { DiscrepancyRow } from '../../../../domain/settlements/discrepancy/row.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { DAY, HOUR } from '../../../support/clock.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { type Ledger, useLedgerForEach } from '../../ledger.ts';
import {
  type FixturePayment,
  openSettlementFixture,
  type PayOptions,
  type SettlementFixture,
} from './fixture.ts';

export type Difference = readonly [kind: string, differenceKobo: number];

/** Opens a fixture for each test of a suite, on a Monday at nine in Lagos, and closes it after. */
export function withSettlementFixture(adapter = 'paystack') {
  const ledger = useLedgerForEach();
  const fixture = forEachTest(async () => {
    ledger.clock.advance(untilMonday(ledger.clock()));
    await ledger.rows('update connections set adapter = $1', adapter);
    return openSettlementFixture(ledger);
  });
  const passDays = (days: number) => void ledger.clock.advance(days * DAY);
  return {
    ...{ ledger, fixture, passDays },
    async paid<Options extends PayOptions[]>(...options: Options) {
      const payments: FixturePayment[] = [];
      for (const each of options) payments.push(await fixture.pay(each));
      passDays(1);
      return payments as { [Index in keyof Options]: FixturePayment };
    },
    async reconciled(...open: Difference[]) {
      await fixture.reconcile();
      expect(await openDiscrepancies(fixture)).to.deep.equal(open);
    },
    /** Expects this of the first settlement that is no forecast. */
    async hasPaidOut(expected: object) {
      expect((await paidOut(fixture))[0]).to.include(expected);
    },
    async audited(...open: Difference[]) {
      ledger.clock.advance(HOUR);
      await fixture.audit();
      expect(await openDiscrepancies(fixture)).to.deep.equal(open);
    },
  };
}

function untilMonday(now: Date): number {
  const days = (8 - now.getUTCDay()) % 7 || 7;
  return Date.parse(now.toISOString().slice(0, 10)) + days * DAY + 8 * HOUR - now.getTime();
}

export async function openDiscrepancies(fixture: SettlementFixture): Promise<Difference[]> {
  const rows = await fixture.discrepancies();
  return rows.map(({ kind, difference_kobo }): Difference => [kind, difference_kobo]).sort();
}

export async function paidOut(fixture: SettlementFixture): Promise<any[]> {
  return (await fixture.settlements())
    .filter(({ step }) => step !== 'forecast')
    .sort((one, other) => (one.provider_settlement_id < other.provider_settlement_id ? -1 : 1));
}

export async function forecasts(fixture: SettlementFixture): Promise<any[]> {
  return (await fixture.settlements())
    .filter(({ step }) => step === 'forecast')
    .sort((one, other) => (one.expected_date < other.expected_date ? -1 : 1));
}

export async function close(ledger: Ledger, { id, tenant_id: tenantId }: DiscrepancyRow) {
  const actor = { tenantId, mode: 'test' as const, subjectId: 'operator', memberId: null };
  await ledger.tx((tx) => closeDiscrepancy(tx, actor, { id, reason: 'Known.' }));
}

export async function accept(ledger: Ledger, chargeId: string): Promise<void> {
  const [{ id, tenant_id: tenantId }] = await ledger.rows(
    'select id, tenant_id from reviews where charge_id = $1',
    chargeId,
  );
  const actor = { tenantId, mode: 'test' as const, subjectId: 'key_test', memberId: null };
  await ledger.tx((tx) =>
    acceptOrReturnReview(tx, actor, { id, decision: 'accepted', note: null }),
  );
}

export async function sendBack(
  ledger: Ledger,
  payment: FixturePayment,
  kobo: number,
  what: 'refund' | 'chargeback' = 'refund',
): Promise<string> {
  const id = newId(what === 'refund' ? 'ref' : 'dsp', ledger.clock());
  await sendBackAs(id, ledger, payment, kobo, what);
  return id;
}

export async function sendBackAs(
  id: string,
  ledger: Ledger,
  { capture }: FixturePayment,
  kobo: number,
  what: 'refund' | 'chargeback',
  origin: 'merchant' | 'provider' = 'merchant',
): Promise<void> {
  const values = [id, kobo, ledger.clock(), capture.providerPaymentId];
  const from =
    'from captures k join charges c on c.id = k.charge_id where k.provider_payment_id = $4';
  await ledger.tx(async (tx) => {
    if (what === 'refund') {
      const [refund] = await tx.sql.query<{ capture_id: string }>(
        `insert into refunds (id, tenant_id, mode, charge_id, amount_kobo, reason, status, origin, requested_by, completed_at, created_at,
           capture_id, connection_id)
         select $1, c.tenant_id, c.mode, c.id, $2, 'test', 'completed', '${origin}', 'test', $3, $3, k.id, k.connection_id ${from}
         returning capture_id`,
        values,
      );
      return postReturns(tx, refund!.capture_id);
    }
    const [dispute] = await tx.sql.query<DisputeRow>(
      `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo, status, entered_by, opened_at, decided_at)
       select $1, c.tenant_id, c.mode, c.id, k.id, k.connection_id, $2, 'lost', 'provider', $3, $3 ${from}
       returning *`,
      values,
    );
    return postDispute(tx, undefined, dispute!);
  });
}

export async function deductedOf(ledger: Ledger): Promise<Record<string, number>> {
  const rows = await ledger.rows(
    'select id, deducted_kobo from refunds union all select id, deducted_kobo from disputes',
  );
  return Object.fromEntries(rows.map(({ id, deducted_kobo }) => [id, deducted_kobo]));
}
