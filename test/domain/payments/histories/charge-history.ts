import type { Context } from '../../../../config/context.ts';
import type { Actor } from '../../../../domain/accounts/audit-log/record-change.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { recordAttempt } from '../../../../domain/payments/facts/record-attempt.ts';
import type { Verification } from '../../../../domain/providers/port/payment.ts';
import { type InTx, inTxOf } from '../../../../domain/shared/tx.ts';
import { createClock, type TestClock } from '../../../support/clock.ts';
import type { Ledger } from '../../ledger.ts';
import { accepted } from '../../notices.ts';
import { contextOf } from '../refund-fixture.ts';
import { type MemoryProvider, openMemoryProvider } from './memory-provider.ts';

export interface ChargeHistory {
  ledger: Ledger;
  clock: TestClock;
  chargeId: string;
  chargeNumber: number;
  actor: Actor;
  /** By the id of the connection. */
  providers: Map<string, MemoryProvider>;
  context: Context;
  answers: { attemptId: string; verification: Verification; askedAt: Date }[];
  tx: InTx;
}

export async function openHistory(ledger: Ledger, reversed: boolean): Promise<ChargeHistory> {
  const clock = createClock(ledger.clock());
  const kinds = [
    { name: 'once', takesTwice: false, refundsOnce: true, payersBearFee: false },
    { name: 'twice', takesTwice: true, refundsOnce: false, payersBearFee: true },
  ];
  if (reversed) kinds.reverse();
  const charge = await ledger.newCharge();
  const providers = new Map(
    ledger.connections.map((connectionId, position) => {
      const { name, ...kind } = kinds[position]!;
      return [connectionId, openMemoryProvider({ ...kind, name: `${charge.id}-${name}` }, clock)];
    }),
  );
  const tx = inTxOf(ledger.db, ledger.vault, clock, () => {});
  const { number: chargeNumber, tenant_id: tenantId } = await ledger.charge(charge.id);
  const history: ChargeHistory = {
    ...{ ledger, clock, chargeId: charge.id, chargeNumber, providers, answers: [], tx },
    actor: { tenantId, mode: 'test', subjectId: 'key_history', memberId: null },
    context: contextOf({ ...ledger, clock, inTx: tx }, ({ id }) => providers.get(id)!),
  };
  await acceptAttempt(history, charge.attemptId);
  return history;
}

export async function acceptAttempt(history: ChargeHistory, attemptId: string): Promise<void> {
  const { ledger, clock, tx } = history;
  await ledger.rows(
    `update attempts set sent_at = coalesce(sent_at, $2),
       status = case status when 'queued' then 'sending' else status end where id = $1`,
    attemptId,
    clock(),
  );
  await tx((each) => recordAttempt(each, attemptId, accepted));
}

export function providerOf({ providers }: ChargeHistory, attempt: AttemptRow): MemoryProvider {
  return providers.get(attempt.connection_id)!;
}
