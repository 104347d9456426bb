import type { SettlementLine } from '../../providers/payouts.ts';
import type { Database } from '../../shared/sql.ts';
import type { InTx, Tx } from '../../shared/tx.ts';
import { type SettlementAccount, takeTurn } from './account.ts';
import { type ReadSettlement, recordLines } from './lines.ts';
import { weighSettlement } from './weigh.ts';

/** Where a connection's payouts are written. */
interface Books {
  db: Database;
  inTx: InTx;
  account: SettlementAccount;
  hasTime: () => boolean;
}

/** Lines looked at again in one round. */
const MOST_REMATCHED = 500;

type OpenLine = SettlementLine &
  Pick<ReadSettlement, 'landed_at' | 'reading'> & { lineId: string; settlementId: string };

/**
 * Looks again at lines that may mean something else by now: nobody had told us of their payment, it was held, or another payout had it.
 * Lines of payments on record come first, however many are of none. A payment that stands in several payouts is the first one's.
 */
async function rematch({ db, inTx, account }: Books): Promise<void> {
  const open = await db.query<OpenLine>(
    `select l.id as "lineId", l.settlement_id as "settlementId", s.landed_at, s.reading, l.provider_payment_id as "providerPaymentId",
       l.reference, l.amount_kobo as "amountKobo", l.fee_kobo as "feeKobo"
     from settlement_lines l join settlements s on s.id = l.settlement_id
     left join captures k on k.connection_id = l.connection_id and k.provider_payment_id = l.provider_payment_id
     where l.connection_id = $1 and l.is_open and s.lines_read_at is not null
     order by (k.status <> 'on_hold' and (l.capture_id is null or k.settlement_id is null)) desc nulls last, l.id desc limit ${MOST_REMATCHED}`,
    [account.id],
  );
  const oldestFirst = open.sort((one, other) => (one.lineId < other.lineId ? -1 : 1));
  for (const [id, lines] of Map.groupBy(oldestFirst, ({ settlementId }) => settlementId)) {
    const { landed_at, reading } = lines[0]!;
    await inTx((tx) => recordLines(tx, account, { id, landed_at, reading }, lines));
  }
}

/** Settlements that differ and are weighed again in one round: our books may hold by now what they did not. */
const MOST_WEIGHED = 100;

/** The settlements of payments whose amount or fee changed since are to be weighed again. */
async function noteChangedCaptures(tx: Tx, account: SettlementAccount): Promise<void> {
  await takeTurn(tx, account);
  await tx.sql.query(
    `with changed as (
       update captures set changed_at = null where connection_id = $1 and changed_at is not null
       returning settlement_id)
     update settlements set weighed_at = null where id in (select settlement_id from changed)`,
    [account.id],
  );
}

/**
 * Weighs what was not weighed since it was stated, then what differs: one may have given back what another is to be explained by. What
 * failed comes first, so that its payments are those of the payouts they came in after all; then what was not weighed for longest. False
 * where there was no time for all that is new.
 */
export async function weighAll(books: Books): Promise<boolean> {
  const { db, inTx, account, hasTime } = books;
  await inTx(async (tx) => {
    await noteChangedCaptures(tx, account);
    return [];
  });
  const weigh = ({ id }: { id: string }) => inTx((tx) => weighSettlement(tx, account, id));
  const unweighed = await db.query<{ id: string; has_failed: boolean }>(
    `select id, stated_state = 'failed' as has_failed from settlements where connection_id = $1 and weighed_at is null and not is_forecast
       and (lines_read_at is not null or stated_state = 'failed') order by id`,
    [account.id],
  );
  const failed = unweighed.filter(({ has_failed }) => has_failed);
  const landed = unweighed.filter(({ has_failed }) => !has_failed);
  for (const settlement of failed) await weigh(settlement);
  await rematch(books);
  for (const settlement of landed) {
    if (!hasTime()) return false;
    await weigh(settlement);
  }
  const differing = await db.query<{ id: string }>(
    `select id from settlements s where connection_id = $1 and weighed_at is not null and exists (
       select from discrepancies d where d.settlement_id = s.id and d.status in ('open', 'closed'))
     order by weighed_at, id limit ${MOST_WEIGHED}`,
    [account.id],
  );
  const last = landed.at(-1)?.id;
  for (const settlement of differing) {
    if (!hasTime()) break;
    if (settlement.id !== last) await weigh(settlement);
  }
  return true;
}
