import type { RowOf } from '../../shared/columns.ts';
import type { SealedFor } from '../../shared/vault.ts';
import type { DisputeResponse } from '../entities/dispute-response.ts';

export type DisputeResponseRow = RowOf<typeof DisputeResponse>;

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
export function disputeResponseView(row: DisputeResponseRow) {
  return {
    object: 'dispute_response' as const,
    id: row.id,
    dispute_id: row.dispute_id,
    kind: row.kind,
    status: row.status,
    failure_message: row.failure_message,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    mode: row.mode,
  };
}
