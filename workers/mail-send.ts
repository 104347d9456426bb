import type { Context } from '../config/context.ts';
import { mailForgottenLinks } from '../domain/accounts/member/member-links.ts';
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
  snooze,
} from './job-handler.ts';
import { retryBriefly } from './retry-briefly.ts';

type ClaimedMail = MailRow & ClaimedRow;
type MailFields = Pick<MailRow, 'kind' | 'tenant_id'>;

/** Every mail goes out once, or its row says why not. */
export const sendMail: JobHandler<ClaimedMail> = { queue: 'mail-send', handle: eachRow(send) };

async function send(context: Context, mail: ClaimedMail): Promise<Outcome> {
  const fields = { kind: mail.kind, tenant_id: mail.tenant_id };
  if (mail.expires_at <= context.clock()) {
    await end(context, mail, 'exhausted');
    return discard('it comes too late', fields);
  }
  if (mail.kind === 'forgotten_password') return mailLinks(context, mail, fields);
  return mail.member_id === null ? sendToPayer(context, mail, fields) : hand(context, mail, fields);
}

/** The row itself is no mail: it ends with those that it has written. */
async function mailLinks(
  { inTx }: Context,
  mail: ClaimedMail,
  fields: MailFields,
): Promise<Outcome> {
  await inTx(async (tx) => {
    if (!(await lockMail(tx.sql, mail))) return;
    await mailForgottenLinks(tx, tx.vault.open(mail.token!, tokenOf(mail)));
    await finishMail(tx, mail, 'cancelled');
  });
  return completed(fields);
}

/** Merchants name these addresses: a stolen key reaches no more of them than a day allows. */
async function sendToPayer(
  context: Context,
  mail: ClaimedMail,
  fields: MailFields,
): Promise<Outcome> {
  const { limits, clock } = context;
  const { allowed, resetMs } = await limits.take('payerMails', mail.tenant_id);
  if (!allowed) {
    const at = new Date(clock().getTime() + resetMs);
    return snooze(at, 'its business has mailed as many payers as a day allows', fields);
  }
  const outcome = await hand(context, mail, fields);
  if (outcome.type !== 'completed') await limits.giveBack('payerMails', mail.tenant_id);
  return outcome;
}

/** To the mail server. */
async function hand(context: Context, mail: ClaimedMail, fields: MailFields): Promise<Outcome> {
  const { clock, random } = context;
  const content = await context.inTx((tx) => read(context, tx, mail));
  if (!content) return discard('nobody needs it any more', fields);
  const sending = await context.mail!.send(mail.id, content);
  const { status, dueAt } = decideSending(sending, mail, clock(), random());
  if (status === 'unsent') return retry(dueAt!, sending.reason!, fields);
  await end(context, mail, status);
  return status === 'sent' ? completed(fields) : discard(sending.reason!, { ...fields, status });
}

function end({ db, clock }: Context, mail: ClaimedMail, status: MailEnd): Promise<void> {
  return retryBriefly(() => finishMail({ sql: db, now: clock() }, mail, status));
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
