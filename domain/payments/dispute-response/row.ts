import type { RowOf } from '../../shared/columns.ts';
import type { SealedFor } from '../../shared/vault.ts';
import type { DisputeResponse } from '../entities/dispute-response.ts';

export type DisputeResponseRow = RowOf<typeof DisputeResponse>;

/** Without its file, which has megabytes. */
export type ListedResponse = Omit<DisputeResponseRow, 'file'>;

export type EvidenceType = NonNullable<DisputeResponseRow['file_type']>;

export type DisputeResponseKind = DisputeResponseRow['kind'];

export interface ResponseContent {
  /** Of evidence what was sold and delivered, of an acceptance the note. */
  details: string;
  customer_email?: string | undefined;
  customer_name?: string | undefined;
  customer_phone?: string | undefined;
  delivery_address?: string | undefined;
  delivery_date?: string | undefined;
}

export function ownerOfContent({
  id,
  tenant_id: tenant,
  mode,
}: Pick<DisputeResponseRow, 'id' | 'tenant_id' | 'mode'>): SealedFor {
  return { table: 'dispute_responses', row: id, tenant, mode };
}

/** Without what it says, which tells who the payer is. */
export function disputeResponseView(row: ListedResponse) {
  return {
    object: 'dispute_response' as const,
    id: row.id,
    dispute_id: row.dispute_id,
    kind: row.kind,
    status: row.status,
    file_type: row.file_type,
    failure_message: row.failure_message,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    mode: row.mode,
  };
}

const signs: readonly [type: EvidenceType, begins: string][] = [
  ['pdf', '%PDF-'],
  ['jpeg', '\xff\xd8\xff'],
  ['png', '\x89PNG\r\n\x1a\n'],
];

/** By its bytes; undefined: none that is taken. */
export function evidenceTypeOf(bytes: Buffer): EvidenceType | undefined {
  const start = bytes.toString('latin1', 0, 8);
  return signs.find(([, begins]) => start.startsWith(begins))?.[0];
}
