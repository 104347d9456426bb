import { NOTE_DAYS } from '../capture/planned-days.ts';
import { feeTaken } from '../capture/settle.ts';
import { AWAITING_SETTLEMENT, decideAwaited } from '../charge/decide.ts';
import { SETTLE_CHARGES } from '../charge/store.ts';

/** Most lines pay out what is on record: one decision settles their charges, in one statement. */

/**
 * SQL: settles the charges that rows of `line` pay out as recorded. `settled`: those rows;
 * `changed`: their captures, as many unless one was assigned elsewhere at the same moment.
 */
export const SETTLE_AS_RECORDED = `
  paid_out as materialized (
    select line.*, k.ctid as place, k.id as capture_id, k.charge_id, ${feeTaken('line')} as taken_kobo
    from line join captures k
      on k.connection_id = :connectionId and k.provider_payment_id = line.provider_payment_id
    where k.settlement_id is null and (k.fee_kobo is not null or line.fee_kobo is null)
    order by k.charge_id
  ), settled as (
    ${SETTLE_CHARGES} from paid_out
    where c.id = paid_out.charge_id and c.capture_id = paid_out.capture_id
      and c.status = '${AWAITING_SETTLEMENT.status}'
      and c.fee_kobo = coalesce(paid_out.taken_kobo, c.fee_kobo)
    returning paid_out.*
  ), changed as (
    update captures k set settlement_id = :settlementId from settled
    where k.ctid = settled.place and k.settlement_id is null
    returning k.connection_id, k.settles_on
  ), noted as (${NOTE_DAYS}), appended as (
    insert into timeline_entries (id, charge_id, at, what, detail)
    select entry_id, charge_id, :now::timestamptz, :what, :detail from settled
  )`;

export interface Payout {
  settlementId: string;
  settledAt: Date;
}

/** Undefined: more follows from the decision than the statement writes. */
export function settledValues({ settlementId, settledAt }: Payout) {
  const fact = { type: 'settled', settlementId, settledAt, feeKobo: null } as const;
  const { status, patch, effects } = decideAwaited(fact);
  const [effect, ...more] = effects;
  const fields = Object.keys(patch).sort().join();
  if (
    effect?.type !== 'append to timeline' ||
    more.length > 0 ||
    fields !== 'settledAt,settlementId'
  )
    return undefined;
  const { what, detail } = effect.entry;
  return { settlementId, settledAt, settledStatus: status!, what, detail };
}
