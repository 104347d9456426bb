import { providerNamed } from '../../../domain/providers/registry.ts';
import { reconcile } from '../../../domain/settlements/settlement/reconcile.ts';
import { inLagos, lagosDay } from '../../../domain/shared/lagos.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/shared/units.ts';
import { settleAccount, waitingPayments } from '../../sandbox/settlements.ts';
import type { SlotAccount, Story } from './story.ts';

/** The hours in Lagos at which a provider pays out, and at which the service reads it. */
const HOURS: Record<string, { paid: number; read: number }> = {
  paystack: { paid: 8, read: 9 },
  flutterwave: { paid: 11, read: 12 },
  monnify: { paid: 22.5, read: 7 },
};

/** Monday, Wednesday and Friday. */
const READ_ON = [1, 3, 5];
const SHORT_AT = 'paystack';

/** Plans a day's payouts. `midnight` is in Lagos. */
export function planPayouts(story: Story, midnight: Date, shortByKobo: number): void {
  for (const slot of Object.values(story.accounts)) {
    const { adapter } = slot.connection;
    const at = (hour: number) => new Date(midnight.getTime() + hour * HOUR_MS);
    const { paid, read } = HOURS[adapter]!;
    story.plan(at(paid), () => payOut(story, slot, adapter === SHORT_AT ? shortByKobo : 0));
    if (READ_ON.includes(inLagos(midnight).weekday))
      story.plan(at(read), () => readPayouts(story, slot));
  }
}

function payOut({ sandbox, now }: Story, { connection, account }: SlotAccount, shortKobo: number) {
  const { settlementDay } = providerNamed(connection.adapter).settlementTerms;
  const leftOut = waitingPayments(sandbox.store, account)
    .filter(({ paidAt, channel }) => settlementDay(paidAt!, channel!) > lagosDay(now()))
    .map(({ id }) => id);
  settleAccount(sandbox, account, {
    ...{ at: now(), status: 'landed', shortByKobo: shortKobo, leftOut },
    ...{ deductKobo: 0, lines: [], foreign: [], notify: false },
  });
}

/** The service reads a provider's payouts of the last days. */
export async function readPayouts({ context, now }: Story, { connection }: SlotAccount) {
  const { db, inTx, timeouts } = context;
  const provider = context.providerOf(connection, 'check');
  const deps = { db, inTx, clock: now, account: connection, timeoutMs: timeouts.listMs, provider };
  const daysFromNow = (days: number) => new Date(now().getTime() + days * DAY_MS);
  const span = { from: daysFromNow(-4), to: daysFromNow(7) };
  const result = await reconcile({ ...deps, hasTime: () => true }, span);
  if (result.error) throw result.error;
}
