import { madeAt, newId } from '../../shared/ids.ts';
import { rowsWrite } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { EVIDENCE_DAYS } from '../retention.ts';

/** The raw payload that reports a fact, and its SHA-256 in hex. */
export interface Evidence {
  sha256: string;
  payload: string;
}

export interface TimelineEntry {
  what: string;
  detail: string | null;
  amountKobo?: number;
  attemptId?: string;
}

/** In order. The payload is stored sealed; each entry has its SHA-256, as a check. */
export async function appendTimeline(
  { write, vault, now }: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  entries: readonly TimelineEntry[],
  evidence?: Evidence,
): Promise<void> {
  if (entries.length === 0) return;
  if (evidence) await writeEvidence({ write, vault, now }, charge, evidence);
  for (const { what, detail, amountKobo = null, attemptId = null } of entries)
    await write(
      timelineWrite({
        key: newId('tle', now),
        charge_id: charge.id,
        at: now,
        what,
        detail,
        amount_kobo: amountKobo,
        attempt_id: attemptId,
        evidence_sha256: evidence?.sha256 ?? null,
      }),
    );
}

/** That of an imported charge may be past its retention. */
async function writeEvidence(
  { write, vault, now }: Pick<Tx, 'write' | 'vault' | 'now'>,
  charge: { id: string; tenant_id: string; mode: string },
  { sha256, payload }: Evidence,
): Promise<void> {
  if (madeAt(charge.id).getTime() < now.getTime() - EVIDENCE_DAYS * DAY_MS) return;
  const owner = { table: 'evidence', row: charge.id, tenant: charge.tenant_id, mode: charge.mode };
  await write(
    evidenceWrite({
      key: `${charge.id}/${sha256}`,
      charge_id: charge.id,
      sha256,
      payload: vault.sealDocument(payload, owner),
      now,
    }),
  );
}

const evidenceWrite = rowsWrite(
  'evidence',
  { key: 'text', charge_id: 'text', sha256: 'text', payload: 'text', now: 'timestamptz' },
  `insert into evidence (charge_id, sha256, payload, created_at)
  select charge_id, sha256, payload, now from :rows
  where not coalesce((
    select true from evidence e where e.charge_id = row.charge_id and e.sha256 = row.sha256
    limit 1), false)`,
  { ignoresRepeats: true },
);

const timelineWrite = rowsWrite(
  'timeline',
  {
    key: 'text',
    charge_id: 'text',
    at: 'timestamptz',
    what: 'text',
    detail: 'text',
    amount_kobo: 'bigint',
    attempt_id: 'text',
    evidence_sha256: 'text',
  },
  `insert into timeline_entries (id, charge_id, at, what, detail, amount_kobo, attempt_id,
    evidence_sha256)
  select key, charge_id, at, what, detail, amount_kobo, attempt_id, evidence_sha256
  from :rows`,
  { keepsOrder: true },
);
