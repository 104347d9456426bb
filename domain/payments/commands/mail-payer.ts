import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { writeMail } from '../../mail/write-mail.ts';
import { Problem } from '../../shared/problems.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import { payerMailOf } from '../charge/payer-mail.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { PaymentLinkRow } from '../payment-link/row.ts';
import { linkStatusAt } from '../payment-link/transitions.ts';

type Mailing = Pick<Tx, 'sendsMail' | 'now'>;

/** Mails a charge's payer the receipt, or where to pay. Throws `invalid_state`. */
export async function mailCharge(tx: Tx, actor: Actor, charge: ChargeRow): Promise<void> {
  const kind = requirePayerMail(tx, charge);
  await writeMail(tx, { ...toPayer(actor), kind, subjectId: charge.id });
  const detail = `SV-${charge.number}: ${kind}`;
  await recordChange(tx, actor, 'charge.mailed', charge.id, detail);
}

/** Mails a payment link to its customer. Throws `invalid_state`. */
export async function mailPaymentLink(tx: Tx, actor: Actor, link: PaymentLinkRow): Promise<void> {
  requireCustomer(tx, link);
  const mail = { ...toPayer(actor), kind: 'payment_link', subjectId: link.id } as const;
  await writeMail(tx, { ...mail, expiresAt: link.expires_at });
  await recordChange(tx, actor, 'payment_link.mailed', link.id);
}

const toPayer = ({ tenantId, mode }: Actor) => ({ tenantId, mode, memberId: null });

/** Why no payer is mailed, and what to do instead; null: they are. */
export function obstacleToMail(sendsMail: boolean, mode: Mode): string | null {
  if (!sendsMail) return 'No mail is sent here. Copy the address of the payer’s page instead.';
  if (mode === 'live') return null;
  return 'Test mode mails no payer. Copy the address of the payer’s page instead.';
}

/** What the charge's payer is mailed now. Throws `invalid_state`. */
export function requirePayerMail({ sendsMail, now }: Mailing, charge: ChargeRow) {
  requireMail(sendsMail, charge.mode);
  const kind = payerMailOf(charge, now);
  if (kind) return kind;
  throw new Problem('invalid_state', 'There is no receipt of this charge, and nothing to pay now.');
}

/** The address of the link's customer. Throws `invalid_state`. */
export function requireCustomer({ sendsMail, now }: Mailing, link: PaymentLinkRow): string {
  requireMail(sendsMail, link.mode);
  const status = linkStatusAt(link, now);
  if (status !== 'active')
    throw new Problem('invalid_state', `This link is not active any more: it is ${status}.`);
  if (link.customer_email === null)
    throw new Problem('invalid_state', 'This link has no e-mail address of a customer.');
  return link.customer_email;
}

function requireMail(sendsMail: boolean, mode: Mode): void {
  const obstacle = obstacleToMail(sendsMail, mode);
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
}
