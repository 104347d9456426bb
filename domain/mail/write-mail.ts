import { newId } from '../shared/ids.ts';
import { rowsWrite, statement } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { DAY_MS } from '../shared/units.ts';
import type { MailRow } from './row.ts';

export interface NewMail {
  tenantId: string;
  /** Null: it is about a member, who belongs to both. */
  mode: string | null;
  kind: MailRow['kind'];
  /** Null: it goes to the payer of the subject, or to whoever has the address in `token`. */
  memberId: string | null;
  subjectId: string;
  /** Of the link in it. */
  token?: string;
  /** By default at once. */
  dueAt?: Date;
  /** By default three days after it is due: mail servers that are down are back by then. */
  expiresAt?: Date;
  /** A notice that waits for a later time goes now. */
  hastens?: boolean;
}

const USEFUL_MS = 3 * DAY_MS;

/**
 * Writes a mail in the transaction of what it tells of, where this installation sends any. Where a
 * notice of the kind waits, it tells of this, too.
 */
export async function writeMail(tx: Tx, mail: NewMail): Promise<void> {
  if (!tx.sendsMail) return;
  const { tenantId, memberId, token, dueAt = tx.now, hastens = false } = mail;
  const id = newId('eml', tx.now);
  const [written] = await insert(tx.sql, {
    ...{ id, tenantId, memberId, dueAt, hastens, now: tx.now },
    ...{ mode: mail.mode, kind: mail.kind, subjectId: mail.subjectId },
    token: token === undefined ? null : tx.vault.seal(token, tokenOf({ id, tenant_id: tenantId })),
    expiresAt: mail.expiresAt ?? new Date(dueAt.getTime() + USEFUL_MS),
  });
  tx.enqueue({ queue: 'mail-send', group: tenantId, id: written!.id, dueAt: written!.due_at });
}

/** What a sealed token belongs to. */
export const tokenOf = ({ id, tenant_id: tenant }: Pick<MailRow, 'id' | 'tenant_id'>) => ({
  table: 'mails',
  row: id,
  tenant,
  mode: 'both',
});

/** A notice that is read waits for this statement's transaction, or this one for its reader. */
const insert = statement<Pick<MailRow, 'id'> & { due_at: Date }>(`
  insert into mails (id, tenant_id, mode, kind, member_id, subject_id, token, status, due_at,
    expires_at, created_at)
  values (:id, :tenantId, :mode, :kind, :memberId, :subjectId, :token, 'pending', :dueAt,
    :expiresAt, :now)
  on conflict (tenant_id, mode, kind, member_id)
    where status = 'pending' and kind in ('refunds_waiting', 'discrepancies_opened')
  do update set created_at = least(mails.created_at, excluded.created_at),
    due_at = case when :hastens then least(mails.due_at, excluded.due_at) else mails.due_at end
  returning id, due_at`);

/**
 * A receipt to the payer of a live charge, where its business sends receipts: one statement with
 * what else is written of a payment. A sweep finds it; most payments have none, and so no job.
 */
export async function writeReceipt(
  { write, now, sendsMail }: Pick<Tx, 'write' | 'now' | 'sendsMail'>,
  charge: { id: string; tenant_id: string; mode: string },
): Promise<void> {
  if (!sendsMail || charge.mode !== 'live') return;
  const expires_at = new Date(now.getTime() + USEFUL_MS);
  const { id: charge_id, tenant_id } = charge;
  await write(receiptsWrite({ key: newId('eml', now), tenant_id, charge_id, now, expires_at }));
}

const receiptsWrite = rowsWrite(
  'receipt',
  {
    key: 'text',
    tenant_id: 'text',
    charge_id: 'text',
    now: 'timestamptz',
    expires_at: 'timestamptz',
  },
  `insert into mails (id, tenant_id, mode, kind, subject_id, status, due_at, expires_at, created_at)
  select key, row.tenant_id, 'live', 'receipt', charge_id, 'pending', now, expires_at, now
  from :rows join tenants on tenants.id = row.tenant_id and tenants.sends_receipts`,
);
