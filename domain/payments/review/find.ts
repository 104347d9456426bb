import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import type { ReviewRow } from './row.ts';

const REVIEWS = `
select r.*, c.number,
  case when k.id is not null then json_build_object(
    'slot', a.slot, 'provider_payment_id', k.provider_payment_id,
    'amount_kobo', k.amount_kobo, 'payer_fee_kobo', k.payer_fee_kobo, 'kept_kobo', k.kept_kobo,
    'currency', k.currency, 'status', k.status
  ) end as payment
from reviews r join charges c on c.id = r.charge_id
left join captures k on k.id = r.capture_id left join attempts a on a.id = k.attempt_id`;

/** A tenant's own in its mode. Throws `not_found`. */
export async function findReview(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await sql.query<ReviewRow>(
    `${REVIEWS} where r.tenant_id = $1 and r.mode = $2 and r.id = $3`,
    [tenantId, mode, id],
  );
  if (!row) throw noSuchReview();
  return row;
}

/** A tenant's own in its mode, in any order. */
export function findReviews(sql: Sql, { tenantId, mode }: Reader, ids: readonly string[]) {
  return sql.query<ReviewRow>(
    `${REVIEWS} where r.tenant_id = $1 and r.mode = $2 and r.id = any($3)`,
    [tenantId, mode, ids],
  );
}

export function noSuchReview(): Problem {
  return new Problem(
    'not_found',
    'There is no such review in this mode. A live review read with a test key is not found.',
  );
}

/** For operators only. */
export async function ownerOfReview(sql: Sql, id: string): Promise<Reader> {
  const [row] = await sql.query<Pick<ReviewRow, 'tenant_id' | 'mode'>>(
    'select tenant_id, mode from reviews where id = $1',
    [id],
  );
  if (!row) throw new Problem('not_found', `There is no review ${id}.`);
  return { tenantId: row.tenant_id, mode: row.mode };
}

export interface ReviewQuery {
  isOpen: boolean | undefined;
  reason: ReviewReason | undefined;
  before: string;
  limit: number;
}

/** Newest first, before an id. Each combination of filters is planned for its index. */
export function listReviews(sql: Sql, { tenantId, mode }: Reader, query: ReviewQuery) {
  return list(sql, ' and r.tenant_id = $3 and r.mode = $4', [tenantId, mode], query);
}

/** For operators only. */
export function listAllReviews(sql: Sql, query: ReviewQuery): Promise<ReviewRow[]> {
  return list(sql, '', [], query);
}

function list(
  sql: Sql,
  ofOwner: string,
  owner: readonly string[],
  { isOpen, reason, before, limit }: ReviewQuery,
): Promise<ReviewRow[]> {
  const values: unknown[] = [before, limit, ...owner];
  const ofStatus = isOpen === undefined ? '' : ` and (r.status = 'open') = $${values.push(isOpen)}`;
  const ofReason = reason === undefined ? '' : ` and r.reason = $${values.push(reason)}`;
  return sql.query<ReviewRow>(
    `${REVIEWS} where r.id < $1${ofOwner}${ofStatus}${ofReason} order by r.id desc limit $2`,
    values,
  );
}
