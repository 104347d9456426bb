import type { Context } from '../config/context.ts';
import type { MailContent } from '../domain/mail/content.ts';
import { decideSending } from '../domain/mail/decide-sending.ts';
import { isNotice, type MailRow } from '../domain/mail/row.ts';
import { beginNotice, finishMail, lockMail, type MailEnd } from '../domain/mail/store.ts';
import { tokenOf } from '../domain/mail/write-mail.ts';
import { readContent } from '../domain/mail-contents.ts';
import type { ClaimedRow } from '../domain/shared/due-rows.ts';
import type { Tx } from '../domain/shared/tx.ts';
import {
  completed,
  discard,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
} from './job-handler.ts';
import { retryBriefly } from './retry-briefly.ts';

type ClaimedMail = MailRow & ClaimedRow;

/** Every mail goes out once, or its row says why not. */
export const sendMail: JobHandler<ClaimedMail> = { queue: 'mail-send', handle: eachRow(send) };

async function send(context: Context, mail: ClaimedMail): Promise<Outcome> {
  const { db, clock, random } = context;
  const fields = { kind: mail.kind, tenant_id: mail.tenant_id };
  const end = (status: MailEnd) =>
    retryBriefly(() => finishMail({ sql: db, now: clock() }, mail, status));
  if (mail.expires_at <= clock()) {
    await end('exhausted');
    return discard('it comes too late', fields);
  }
  const content = await context.inTx((tx) => read(context, tx, mail));
  if (!content) return discard('nobody needs it any more', fields);
  const sending = await context.mail!.send(mail.id, content);
  const { status, dueAt } = decideSending(sending, mail, clock(), random());
  if (status === 'unsent') return retry(dueAt!, sending.reason!, fields);
  await end(status);
  return status === 'sent' ? completed(fields) : discard(sending.reason!, { ...fields, status });
}

/**
 * Undefined: it is cancelled. A notice is read under its lock, so that what happens meanwhile is
 * told by it or by the next one.
 */
async function read({ env }: Context, tx: Tx, mail: ClaimedMail): Promise<MailContent | undefined> {
  const { sql, now, vault } = tx;
  if (isNotice(mail) && !(await lockMail(sql, mail))) return undefined;
  const token = mail.token === null ? '' : vault.open(mail.token, tokenOf(mail));
  const content = await readContent({ sql, now, publicUrl: env.publicUrl, token }, mail);
  if (!content) await finishMail(tx, mail, 'cancelled');
  else if (isNotice(mail)) await beginNotice(tx, mail);
  return content;
}
