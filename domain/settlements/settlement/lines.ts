import type { Job } from '../../jobs.ts';
import { advanceCharge } from '../../payments/charge/advance.ts';
import type { SettlementLine } from '../../providers/payouts.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from './account.ts';

/** A landed payout whose lines are read. */
export interface ReadSettlement {
  id: string;
  provider_settlement_id: string;
  landed_at: Date | null;
  /** Where the next page begins; null: with the first one. */
  lines_cursor: string | null;
  /** When the last one was read; null: not yet. */
  lines_read_at: Date | null;
  /** How often they were begun to be read: once more whenever the payout is stated anew. */
  reading: number;
}

/** Our own references: `SV-100042-x7k2m9qa`. Any other is of the merchant's other business. */
export function isOurReference(reference: string): boolean {
  return /^SV-\d{1,15}-[0-9a-z]{8}$/.test(reference);
}

interface Written {
  id: string;
  charge_id: string | null;
  capture_id: string | null;
}

/**
 * Records lines of a payout: matches each with the payment it speaks of, and tells its charge that it is settled. A line never counts as
 * the payment itself: where we know of none, the attempt is asked about. Recorded again, a line changes nothing. Lines of a reading that
 * is over are not recorded: the payout was stated anew, and is read anew.
 */
export async function recordLines(
  tx: Tx,
  account: SettlementAccount,
  settlement: Pick<ReadSettlement, 'id' | 'landed_at' | 'reading'>,
  lines: readonly SettlementLine[],
): Promise<Job[]> {
  const written = await writeLines(tx, account, settlement, lines);
  await claimCaptures(tx, settlement.id, written);
  const jobs: Job[] = [];
  for (const { charge_id: chargeId, fee_kobo: feeKobo, is_moved: isMoved } of await newlySettled(
    tx,
    written,
  )) {
    const type = isMoved ? 'settled elsewhere' : 'settled';
    const fact = {
      type,
      settledAt: settlement.landed_at ?? tx.now,
      settlementId: settlement.id,
      feeKobo,
    } as const;
    jobs.push(...(await advanceCharge(tx, chargeId, fact)));
  }
  return [...jobs, ...(await ringUnheard(tx, account, written, lines))];
}

async function writeLines(
  { sql, now }: Tx,
  { id }: SettlementAccount,
  settlement: Pick<ReadSettlement, 'id' | 'reading'>,
  lines: readonly SettlementLine[],
) {
  const column = <Value>(read: (line: SettlementLine) => Value) => lines.map(read);
  return sql.query<Written>(WRITE, [
    settlement.id,
    id,
    column(() => newId('sln', now)),
    column((line) => line.providerPaymentId),
    column((line) => line.reference),
    column((line) => line.amountKobo),
    column((line) => line.feeKobo),
    column((line) => isOurReference(line.reference)),
    settlement.reading,
  ]);
}

/** A page may name a payment twice: the later line stands. */
const WRITE = `
  with line as (
    select distinct on (provider_payment_id) *
    from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::boolean[]) with ordinality
      as line (id, provider_payment_id, reference, amount_kobo, fee_kobo, is_ours, position)
    order by provider_payment_id, position desc
  )
  insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id, reference, amount_kobo, fee_kobo, reading, is_foreign,
    is_open, charge_id, capture_id)
  select line.id, $1, $2, line.provider_payment_id, line.reference, line.amount_kobo, line.fee_kobo, s.reading, k.id is null and is_foreign,
    (k.id is null and not is_foreign) or coalesce(k.status = 'on_hold' or k.settlement_id <> $1, false), coalesce(k.charge_id, a.charge_id), k.id
  from line cross join (select reading from settlements where id = $1 and reading = $9) s
  left join captures k on k.connection_id = $2 and k.provider_payment_id = line.provider_payment_id
  left join attempts a on a.reference = line.reference and a.connection_id = $2
  cross join lateral (
    -- What was paid through another connection of this service to the same account is that connection's.
    select not is_ours or exists (select from attempts o where o.reference = line.reference and o.connection_id <> $2) as is_foreign) whose
  on conflict (settlement_id, provider_payment_id) do update set amount_kobo = excluded.amount_kobo, fee_kobo = excluded.fee_kobo,
    reference = excluded.reference, reading = excluded.reading, is_foreign = excluded.is_foreign, is_open = excluded.is_open,
    charge_id = excluded.charge_id, capture_id = excluded.capture_id
  returning id, charge_id, capture_id`;

/** Once all lines are read, takes away those the payout held before it was stated anew, and holds no more: they are expected again. */
export function dropStaleLines({ sql }: Tx, settlementId: string): Promise<unknown> {
  return sql.query(
    DROP(
      'l.reading < (select reading from settlements where id = $1 and lines_read_at is not null)',
    ),
    [settlementId],
  );
}

/** Takes away every line of a payout. */
export function dropLines({ sql }: Tx, settlementId: string): Promise<unknown> {
  return sql.query(DROP('true'), [settlementId]);
}

const DROP = (which: string) => `
  with dropped as (delete from settlement_lines l where l.settlement_id = $1 and ${which} returning l.capture_id)
  update captures set settlement_id = null where id in (select capture_id from dropped) and settlement_id = $1`;

/** The first payout that holds a payment has it. A fee nobody stated before is taken over. */
async function claimCaptures(
  { sql }: Tx,
  settlementId: string,
  written: readonly Written[],
): Promise<void> {
  await sql.query(
    `update captures k set settlement_id = coalesce(k.settlement_id, $1), fee_kobo = coalesce(k.fee_kobo, l.fee_kobo)
     from settlement_lines l where l.id = any($2) and l.capture_id = k.id
       and (k.settlement_id is null or (k.fee_kobo is null and l.fee_kobo is not null))`,
    [settlementId, written.map(({ id }) => id)],
  );
}

interface Settled {
  charge_id: string;
  fee_kobo: number | null;
  /** True: it was settled with another payout before, which does not hold it any more. */
  is_moved: boolean;
}

/**
 * Charges that a line settles: those whose own payment it is, or may turn out to be. In the order of their ids, as everybody locks them.
 * The fee is what the line takes; a difference that another one makes up for is a fee the payer bore.
 */
function newlySettled({ sql }: Tx, written: readonly Written[]): Promise<Settled[]> {
  return sql.query(
    `select l.charge_id, case when k.amount_kobo - k.fee_kobo = l.amount_kobo - l.fee_kobo then k.fee_kobo
         else coalesce(l.fee_kobo, k.fee_kobo) end as fee_kobo, c.settled_at is not null as is_moved
     from settlement_lines l join charges c on c.id = l.charge_id left join captures k on k.id = l.capture_id
     where l.id = any($1) and c.capture_id is not distinct from l.capture_id
       and (c.settled_at is null or (c.settlement_id <> l.settlement_id and k.settlement_id = l.settlement_id))
     order by l.charge_id`,
    [written.map(({ id }) => id)],
  );
}

/** Whoever was paid without our hearing of it is asked about now. */
async function ringUnheard(
  { sql, now }: Tx,
  { id }: SettlementAccount,
  written: readonly Written[],
  lines: readonly SettlementLine[],
): Promise<Job[]> {
  const unheard = written.filter(
    ({ charge_id: chargeId, capture_id: captureId }) => chargeId !== null && captureId === null,
  );
  if (unheard.length === 0) return [];
  return ringAttempts(
    { sql, now },
    id,
    [...new Set(lines.map(({ reference }) => reference))],
    unheard.map(({ charge_id: chargeId }) => chargeId!),
  );
}

/** Makes these attempts due, unless they are being made just now. */
export async function ringAttempts(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  connectionId: string,
  references: readonly string[],
  chargeIds: readonly string[],
): Promise<Job[]> {
  const rows = await sql.query<{ id: string; tries: number }>(
    `update attempts set due_at = $1, enqueues = 0, enqueued_at = null
     where reference = any($2) and connection_id = $3 and charge_id = any($4) and status <> 'sending' and (due_at is null or due_at > $1)
     returning id, tries`,
    [now, references, connectionId, chargeIds],
  );
  return rows.map(({ id, tries }) => ({ queue: 'charge-check', id, tries }));
}
