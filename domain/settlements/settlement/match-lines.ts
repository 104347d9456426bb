import { isOurReference } from '../../payments/attempt/reference.ts';
import {
  assignToSettlement,
  feeTaken,
  releaseFromSettlement,
} from '../../payments/capture/settle.ts';
import { lockCharges } from '../../payments/charge/store.ts';
import { advanceCharges } from '../../payments/facts/advance-charges.ts';
import { postStatedFees } from '../../payments/posting/post-captures.ts';
import type { SettlementLine } from '../../providers/port/settlement.ts';
import type { RowOf } from '../../shared/columns.ts';
import { newIds } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';
import type { SettlementLine as StoredLine } from '../entities/settlement-line.ts';
import type { SettlementRow } from './row.ts';

export type LandedSettlement = Pick<SettlementRow, 'id' | 'landed_at' | 'statement_version'>;

type MatchedLine = Pick<RowOf<typeof StoredLine>, 'id' | 'charge_id' | 'capture_id' | 'fee_kobo'>;

/**
 * Matches lines with their payments and settles the charges. No line proves a payment. Repeats, and
 * lines of an older statement, change nothing. No two lines name one payment.
 */
export async function recordLines(
  tx: Tx,
  account: SettlementAccount,
  settlement: LandedSettlement,
  lines: readonly SettlementLine[],
): Promise<void> {
  const matched = await writeLines(tx, account, settlement, lines);
  const chargeIds = matched.flatMap(({ charge_id: id }) => id ?? []);
  await lockCharges(tx, chargeIds);
  const withFee = await assignToSettlement(tx, settlement.id, matched.flatMap(captureOf));
  await postStatedFees(tx, withFee);
  await settleCharges(tx, settlement, matched);
}

function writeLines(
  { sql, now }: Tx,
  { id }: SettlementAccount,
  settlement: LandedSettlement,
  lines: readonly SettlementLine[],
): Promise<MatchedLine[]> {
  const column = <Value>(read: (line: SettlementLine) => Value) => lines.map(read);
  return writeAll(sql, {
    settlementId: settlement.id,
    version: settlement.statement_version,
    connectionId: id,
    ids: newIds('sln', now, lines.length),
    paymentIds: column((line) => line.providerPaymentId),
    references: column((line) => line.reference),
    amounts: column((line) => line.amountKobo),
    fees: column((line) => line.feeKobo),
    areOurs: column((line) => isOurReference(line.reference)),
    unclear: column((line) => line.unclear ?? null),
  });
}

/** Paid through another connection of ours is foreign to this one; its clarity does not matter. */
const writeAll = statement<MatchedLine>(`
  with line as (
    select *
    from unnest(:ids::text[], :paymentIds::text[], :references::text[], :amounts::bigint[],
      :fees::bigint[], :areOurs::boolean[], :unclear::text[])
      as line (id, provider_payment_id, reference, amount_kobo, fee_kobo, is_ours, unclear)
    order by provider_payment_id
  )
  insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id, reference,
    amount_kobo, fee_kobo, unclear, statement_version, is_foreign, needs_rematch, charge_id,
    capture_id)
  select line.id, :settlementId, :connectionId, line.provider_payment_id, line.reference,
    line.amount_kobo, line.fee_kobo,
    case when k.id is not null or not is_foreign then line.unclear end,
    s.statement_version, k.id is null and is_foreign,
    (k.id is null and not is_foreign)
      or coalesce(k.status = 'on_hold' or k.settlement_id <> :settlementId, false),
    coalesce(k.charge_id, a.charge_id), k.id
  from line
  cross join (
    select statement_version from settlements
    where id = :settlementId and statement_version = :version) s
  left join captures k
    on k.connection_id = :connectionId and k.provider_payment_id = line.provider_payment_id
  left join attempts a on a.reference = line.reference and a.connection_id = :connectionId
  cross join lateral (
    select not is_ours or (
      select 1 from attempts o
      where o.reference = line.reference and o.connection_id <> :connectionId
      limit 1) is not null as is_foreign) origin
  on conflict (settlement_id, provider_payment_id) do update set
    amount_kobo = excluded.amount_kobo, fee_kobo = excluded.fee_kobo,
    unclear = excluded.unclear, reference = excluded.reference,
    statement_version = excluded.statement_version, is_foreign = excluded.is_foreign,
    needs_rematch = excluded.needs_rematch,
    charge_id = excluded.charge_id, capture_id = excluded.capture_id
  returning id, charge_id, capture_id, fee_kobo`);

function captureOf({ capture_id: id, fee_kobo: feeKobo }: MatchedLine) {
  return id === null ? [] : [{ id, feeKobo }];
}

async function settleCharges(
  tx: Tx,
  settlement: LandedSettlement,
  matched: readonly MatchedLine[],
): Promise<void> {
  const charges = await chargesToSettle(tx, matched);
  await advanceCharges(
    tx,
    charges.map(({ charge_id: chargeId, fee_kobo: feeKobo, is_moved: isMoved }) => ({
      chargeId,
      fact: {
        type: isMoved ? 'settled elsewhere' : 'settled',
        settledAt: settlement.landed_at ?? tx.now,
        settlementId: settlement.id,
        feeKobo,
      },
    })),
  );
}

interface ChargeToSettle {
  charge_id: string;
  fee_kobo: number | null;
  /** Its first settlement holds it no more. */
  is_moved: boolean;
}

/** In the order of their ids, in which every transaction locks charges. */
function chargesToSettle({ sql }: Tx, matched: readonly MatchedLine[]): Promise<ChargeToSettle[]> {
  return sql.query(
    `select l.charge_id, ${feeTaken('l')} as fee_kobo, c.settled_at is not null as is_moved
     from settlement_lines l join charges c on c.id = l.charge_id
     join captures k on k.id = l.capture_id
     where l.id = any($1) and l.unclear is null and c.capture_id = l.capture_id
       and (c.settled_at is null
         or (c.settlement_id <> l.settlement_id and k.settlement_id = l.settlement_id))
     order by l.charge_id`,
    [matched.map(({ id }) => id)],
  );
}

const DELETED_AT_ONCE = 5_000;

/** All, or what the newest statement lacks. Their payments are expected to settle again. */
export async function deleteLines(tx: Tx, id: string, which: 'all' | 'stale'): Promise<void> {
  const isStale = 'statement_version < (select statement_version from settlements where id = $1)';
  for (;;) {
    const deleted = await tx.sql.query<Pick<MatchedLine, 'capture_id'>>(
      `delete from settlement_lines where id = any(array(
         select id from settlement_lines
         where settlement_id = $1 and ${which === 'all' ? 'true' : isStale}
         limit ${DELETED_AT_ONCE}))
       returning capture_id`,
      [id],
    );
    const captureIds = deleted.flatMap(({ capture_id }) => capture_id ?? []);
    if (captureIds.length > 0) await releaseFromSettlement(tx, id, captureIds);
    if (deleted.length < DELETED_AT_ONCE) return;
  }
}
