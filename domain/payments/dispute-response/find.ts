import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Vault } from '../../shared/vault.ts';
import type { CaptureRow } from '../capture/capture.ts';
import type { DisputeRow } from '../dispute/row.ts';
import { DisputeResponse } from '../entities/dispute-response.ts';
import {
  type DisputeResponseRow,
  type EvidenceType,
  type ListedResponse,
  ownerOfContent,
  type ResponseContent,
} from './row.ts';

const COLUMNS = Object.keys(DisputeResponse.meta.properties)
  .filter((column) => column !== 'file')
  .join(', ');

/** The newest first: at most `limit`, with ids that sort before `before`. */
export function listResponses(
  sql: Sql,
  { tenantId, mode }: Reader,
  disputeId: string,
  { before, limit }: { before: string; limit: number },
): Promise<ListedResponse[]> {
  return sql.query<ListedResponse>(
    `select ${COLUMNS} from dispute_responses
     where dispute_id = $1 and tenant_id = $2 and mode = $3 and id < $4 order by id desc limit $5`,
    [disputeId, tenantId, mode, before, limit],
  );
}

/** One that the provider has, that is on its way to it, or that waits for a second Owner. */
export async function findLiveResponse(
  sql: Sql,
  disputeId: string,
): Promise<ListedResponse | undefined> {
  const [row] = await sql.query<ListedResponse>(
    `select ${COLUMNS} from dispute_responses where dispute_id = $1 and status <> 'refused'`,
    [disputeId],
  );
  return row;
}

/** Undefined: its payer was erased. */
export function contentOf(vault: Vault, row: ListedResponse): ResponseContent | undefined {
  return row.content === null
    ? undefined
    : (JSON.parse(vault.open(row.content, ownerOfContent(row))) as ResponseContent);
}

export function fileOf(
  vault: Vault,
  row: DisputeResponseRow,
): { type: EvidenceType; bytes: Buffer } | null {
  if (row.file === null || row.file_type === null) return null;
  const bytes = Buffer.from(vault.open(row.file, ownerOfContent(row)), 'base64');
  return { type: row.file_type, bytes };
}

export interface AnsweredDispute
  extends Pick<DisputeRow, 'amount_kobo'>,
    Pick<CaptureRow, 'provider_payment_id' | 'captured_at'> {
  provider_dispute_id: string;
  reference: string;
  email: string;
  name: string | null;
  phone: string | null;
}

/** The dispute of a response, its payment and its payer. */
export async function findAnswered(sql: Sql, disputeId: string): Promise<AnsweredDispute> {
  const [row] = await sql.query<AnsweredDispute>(
    `select d.amount_kobo, d.provider_dispute_id, k.provider_payment_id, k.captured_at, a.reference,
       c.email, c.name, c.phone
     from disputes d join charges c on c.id = d.charge_id join captures k on k.id = d.capture_id
     join attempts a on a.id = k.attempt_id where d.id = $1`,
    [disputeId],
  );
  return row!;
}
