import type { MailContent, ReadContent } from './mail/content.ts';
import type { MailRow } from './mail/row.ts';
import { receiptOf } from './payments/charge/receipt.ts';
import type { ChargeRow } from './payments/charge/row.ts';
import { Charge } from './payments/entities/charge.ts';
import { linkUrlOf, type PaymentLinkRow } from './payments/payment-link/row.ts';
import { linkStatusAt } from './payments/payment-link/transitions.ts';
import { checkoutIdOf } from './shared/ids.ts';
import { formatNaira } from './shared/money.ts';
import { payerColumns } from './shared/payer-data.ts';
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

/** Undefined where the whole payment went back, or the payer was erased. */
const receipt: ReadContent = async ({ sql, publicUrl }, { subject_id }) => {
  const [charge] = await sql.query<ChargeRow & Business>(
    `select c.*, ${BUSINESS} from charges c join tenants t on t.id = c.tenant_id where c.id = $1`,
    [subject_id],
  );
  if (!charge || charge.status === 'refunded') return undefined;
  if (charge.email === payerColumns(Charge).email) return undefined;
  const { email, merchant, amount_kobo } = charge;
  return {
    to: email,
    from: fromBusiness(charge),
    subject: `Receipt from ${merchant}: ${formatNaira(amount_kobo)}`,
    paragraphs: [`${merchant} has your payment. Thank you.`],
    facts: receiptOf(charge, { merchant, timeZone: charge.time_zone }),
    link: { label: 'See it online', url: `${publicUrl}/pay/${checkoutIdOf(charge.id)}` },
    note: questionsTo(charge),
  };
};

/** Undefined where it cannot be paid any more, or its customer was erased. */
const paymentLink =
  (subjectOf: (merchant: string, amount: string) => string): ReadContent =>
  async ({ sql, now, publicUrl }, { subject_id }: MailRow) => {
    const [link] = await sql.query<PaymentLinkRow & Business>(
      `select l.*, ${BUSINESS} from payment_links l join tenants t on t.id = l.tenant_id
       where l.id = $1`,
      [subject_id],
    );
    if (!link?.customer_email || linkStatusAt(link, now) !== 'active') return undefined;
    const { merchant, expires_at } = link;
    const amount = formatNaira(link.amount_kobo);
    return {
      to: link.customer_email,
      from: fromBusiness(link),
      subject: subjectOf(merchant, amount),
      paragraphs: [`${merchant} asks you to pay ${amount}.`],
      facts: [
        ['For', link.description],
        ['Amount', amount],
        ['Until', timeIn(link.time_zone, expires_at)],
      ],
      link: { label: `Pay ${amount}`, url: linkUrlOf(link.id, publicUrl) },
      note: questionsTo(link),
    };
  };

export const toPayers = {
  receipt,
  payment_link: paymentLink((merchant, amount) => `${merchant}: please pay ${amount}`),
  payment_link_reminder: paymentLink(
    (merchant, amount) => `Reminder from ${merchant}: please pay ${amount}`,
  ),
};
