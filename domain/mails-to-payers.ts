import type { MailContent, ReadContent } from './mail/content.ts';
import type { MailRow } from './mail/row.ts';
import { payerMailOf } from './payments/charge/payer-mail.ts';
import { receiptOf } from './payments/charge/receipt.ts';
import type { ChargeRow } from './payments/charge/row.ts';
import { linkUrlOf, type PaymentLinkRow } from './payments/payment-link/row.ts';
import { linkStatusAt } from './payments/payment-link/transitions.ts';
import { checkoutIdOf } from './shared/ids.ts';
import { formatNaira } from './shared/money.ts';
import { timeIn } from './shared/time-in.ts';

interface Business {
  merchant: string;
  time_zone: string;
  support_email: string | null;
  support_phone: string | null;
}

const BUSINESS = 't.name as merchant, t.time_zone, t.support_email, t.support_phone';

const fromBusiness = ({
  merchant,
  support_email: email,
}: Business): NonNullable<MailContent['from']> => ({
  name: merchant,
  email,
});

function questionsTo({ merchant, support_email, support_phone }: Business): string {
  const ways = [support_email, support_phone].filter((way) => way !== null);
  return `Questions? Ask ${merchant}${ways.length > 0 ? `: ${ways.join(', ')}` : ''}.`;
}

/** Undefined where the payer of the charge is not mailed this now. */
const ofCharge =
  (
    kind: 'receipt' | 'checkout',
    says: (charge: ChargeRow & Business, url: string) => Omit<MailContent, 'to' | 'from' | 'note'>,
  ): ReadContent =>
  async ({ sql, now, publicUrl }, { subject_id }) => {
    const [charge] = await sql.query<ChargeRow & Business>(
      `select c.*, ${BUSINESS} from charges c join tenants t on t.id = c.tenant_id where c.id = $1`,
      [subject_id],
    );
    if (!charge || payerMailOf(charge, now) !== kind) return undefined;
    const content = says(charge, `${publicUrl}/pay/${checkoutIdOf(charge.id)}`);
    return {
      to: charge.email,
      from: fromBusiness(charge),
      ...content,
      note: questionsTo(charge),
    };
  };

const receipt = ofCharge('receipt', (charge, url) => ({
  subject: `Receipt from ${charge.merchant}: ${formatNaira(charge.amount_kobo)}`,
  paragraphs: [`${charge.merchant} has your payment. Thank you.`],
  facts: receiptOf(charge, { merchant: charge.merchant, timeZone: charge.time_zone }),
  link: { label: 'See it online', url },
}));

const checkout = ofCharge('checkout', (charge, url) => ({
  subject: pleasePay(charge),
  ...asksToPay(charge, url),
}));

/** Undefined where it cannot be paid any more, or its customer was erased. */
const paymentLink =
  (subjectOf: (link: Asked) => string): ReadContent =>
  async ({ sql, now, publicUrl }, { subject_id }: MailRow) => {
    const [link] = await sql.query<PaymentLinkRow & Business>(
      `select l.*, ${BUSINESS} from payment_links l join tenants t on t.id = l.tenant_id
       where l.id = $1`,
      [subject_id],
    );
    if (!link?.customer_email || linkStatusAt(link, now) !== 'active') return undefined;
    return {
      to: link.customer_email,
      from: fromBusiness(link),
      subject: subjectOf(link),
      ...asksToPay(link, linkUrlOf(link.id, publicUrl)),
      note: questionsTo(link),
    };
  };

type Asked = Business & Pick<ChargeRow, 'amount_kobo' | 'description' | 'expires_at'>;

const pleasePay = ({ merchant, amount_kobo }: Asked) =>
  `${merchant}: please pay ${formatNaira(amount_kobo)}`;

function asksToPay(asked: Asked, url: string): Pick<MailContent, 'paragraphs' | 'facts' | 'link'> {
  const { merchant, description, expires_at, time_zone } = asked;
  const amount = formatNaira(asked.amount_kobo);
  return {
    paragraphs: [`${merchant} asks you to pay ${amount}.`],
    facts: [
      ...(description === null ? [] : [['For', description] as const]),
      ['Amount', amount],
      ['Until', timeIn(time_zone, expires_at)],
    ],
    link: { label: `Pay ${amount}`, url },
  };
}

export const toPayers = {
  receipt,
  checkout,
  payment_link: paymentLink(pleasePay),
  payment_link_reminder: paymentLink(
    ({ merchant, amount_kobo }) =>
      `Reminder from ${merchant}: please pay ${formatNaira(amount_kobo)}`,
  ),
};
