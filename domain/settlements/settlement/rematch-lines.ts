import type { SettlementLine } from '../../providers/port/settlement.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementContext } from './context.ts';
import { type LandedSettlement, recordLines } from './match-lines.ts';

const MAX_REMATCHED = 500;

type UnmatchedLine = SettlementLine &
  Omit<LandedSettlement, 'id'> & { lineId: string; settlementId: string };

/** Lines whose payment is on record by now come first; several settlements' goes to the first. */
export async function rematchLines({
  db,
  inTx,
  account,
}: Pick<SettlementContext, 'db' | 'inTx' | 'account'>): Promise<void> {
  const unmatched = await db.query<UnmatchedLine>(UNMATCHED, [account.id]);
  const oldestFirst = unmatched.sort((one, other) => (one.lineId < other.lineId ? -1 : 1));
  for (const [id, lines] of Map.groupBy(oldestFirst, ({ settlementId }) => settlementId)) {
    const { landed_at, statement_version } = lines[0]!;
    await inTx((tx) => recordLines(tx, account, { id, landed_at, statement_version }, lines));
  }
}

/** Lines of other business whose payments were imported since. */
export async function rematchImported({ sql }: Pick<Tx, 'sql'>, connectionId: string) {
  await sql.query(
    `update settlement_lines l set needs_rematch = true
     from settlements s, captures k
     where s.connection_id = $1 and l.settlement_id = s.id and l.is_foreign
       and k.connection_id = $1 and k.provider_payment_id = l.provider_payment_id`,
    [connectionId],
  );
}

const UNMATCHED = `
  select l.id as "lineId", l.settlement_id as "settlementId", s.landed_at, s.statement_version,
    l.provider_payment_id as "providerPaymentId", l.reference, l.amount_kobo as "amountKobo",
    l.fee_kobo as "feeKobo", l.unclear
  from settlement_lines l join settlements s on s.id = l.settlement_id
  left join captures k
    on k.connection_id = l.connection_id and k.provider_payment_id = l.provider_payment_id
  where l.connection_id = $1 and l.needs_rematch and s.stated_state = 'landed'
    and l.statement_version = s.statement_version
    and s.step in ('unreadable', 'unclear', 'compute_totals', 'reconciled')
  order by (k.status <> 'on_hold' and (l.capture_id is null or k.settlement_id is null))
    desc nulls last, l.id desc
  limit ${MAX_REMATCHED}`;
