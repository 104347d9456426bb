import { providerNamed } from '../../../domain/providers/registry.ts';
import { reconcile } from '../../../domain/settlements/settlement/reconcile.ts';
import { inLagos, lagosDay } from '../../../domain/shared/lagos.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/shared/units.ts';
import { settleAccount, waitingPayments } from '../../sandbox/settlements.ts';
import type { Business, SlotAccount } from './business.ts';
import type { Past } from './past.ts';

/** A provider pays out what is due by its terms, or `shortByKobo` less. */
export async function payOut(
  past: Past,
  { connection, account }: SlotAccount,
  shortByKobo: number,
): Promise<void> {
  const { settlementDay } = providerNamed(connection.adapter).settlementTerms;
  const today = lagosDay(past.now());
  const leftOut = waitingPayments(past.sandbox.store, account)
    .filter(({ paidAt, channel }) => settlementDay(paidAt!, channel!) > today)
    .map(({ id }) => id);
  settleAccount(past.sandbox, account, {
    ...{ at: past.now(), status: 'landed', shortByKobo, leftOut },
    ...{ deductKobo: 0, lines: [], foreign: [], notify: false },
  });
}

/** The service reads a provider's payouts of the last days. */
export async function readPayouts(past: Past, { connection }: SlotAccount): Promise<void> {
  const { db, inTx, timeouts } = past.context;
  const now = past.now().getTime();
  const result = await reconcile(
    {
      ...{ db, inTx, clock: past.now, account: connection, timeoutMs: timeouts.listMs },
      provider: past.context.providerOf(connection, 'check'),
      hasTime: () => true,
    },
    { from: new Date(now - 4 * DAY_MS), to: new Date(now + 7 * DAY_MS) },
  );
  if (result.error) throw result.error;
}

/** The hours in Lagos at which a provider pays out, and at which the service reads it. */
const HOURS: Record<string, { paid: number; read: number }> = {
  paystack: { paid: 8, read: 9 },
  flutterwave: { paid: 11, read: 12 },
  monnify: { paid: 22.5, read: 7 },
};

/** Monday, Wednesday and Friday. */
const READ_ON = [1, 3, 5];
/** The provider whose payout may be short. */
const SHORT_AT = 'paystack';

/** Puts a day's payouts on the agenda. `midnight` is in Lagos. */
export function planPayouts(
  past: Past,
  business: Business,
  midnight: Date,
  shortByKobo: number,
): void {
  for (const slot of Object.values(business.accounts)) {
    const { adapter } = slot.connection;
    const at = (hour: number) => new Date(midnight.getTime() + hour * HOUR_MS);
    const { paid, read } = HOURS[adapter]!;
    past.agenda.add(at(paid), () => payOut(past, slot, adapter === SHORT_AT ? shortByKobo : 0));
    if (READ_ON.includes(inLagos(midnight).weekday))
      past.agenda.add(at(read), () => readPayouts(past, slot));
  }
}
