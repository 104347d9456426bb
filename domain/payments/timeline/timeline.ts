import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';

/**
 * The source of a fact: the raw payload that reports it, and its SHA-256 in hex.
 */
export interface Evidence {
  sha256: string;
  payload: string;
}

/** One entry of a charge's timeline: what happened, as a code and in a sentence. */
export interface TimelineEntry {
  what: string;
  detail: string | null;
  /** Kobo, where the entry is about money. */
  amountKobo?: number;
  attemptId?: string;
}

/**
 * Appends entries to a charge's timeline, in order. The raw payload behind them is stored sealed.
 * Its SHA-256 is in each entry, so that whoever has the payload can check that it is the same.
 */
export async function appendTimeline(
  { write, vault, now }: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  entries: readonly TimelineEntry[],
  evidence?: Evidence,
): Promise<void> {
  if (entries.length === 0) return;
  const owner = { table: 'evidence', row: charge.id, tenant: charge.tenant_id, mode: charge.mode };
  await write({
    parts: APPEND,
    values: [
      charge.id,
      evidence?.sha256 ?? null,
      evidence ? vault.seal(evidence.payload, owner) : null,
      now,
      entries.map(() => newId('tle', now)),
      entries.map((entry) => entry.what),
      entries.map((entry) => entry.detail),
      entries.map((entry) => entry.amountKobo ?? null),
      entries.map((entry) => entry.attemptId ?? null),
    ],
  });
}

const APPEND = {
  evidence: `insert into evidence (charge_id, sha256, payload, created_at)
    select $1, $2, $3, $4::timestamptz where $2::text is not null
      and not exists (select from evidence where charge_id = $1 and sha256 = $2)`,
  timeline: `insert into timeline_entries (id, charge_id, at, what, detail, amount_kobo, attempt_id,
      evidence_sha256)
    select line.id, $1, $4, line.what, line.detail, line.amount_kobo, line.attempt_id, $2
    from unnest($5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[]) with ordinality
      as line (id, what, detail, amount_kobo, attempt_id, position)
    order by line.position`,
};
