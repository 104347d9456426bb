import { createPaymentLink } from '../../../domain/payments/payment-link/create.ts';
import { disableLink } from '../../../domain/payments/payment-link/disable-link.ts';
import { expireLinks } from '../../../domain/payments/payment-link/expire-links.ts';
import { openCharge } from '../../../domain/payments/payment-link/open-charge.ts';
import type { PaymentLinkRow } from '../../../domain/payments/payment-link/row.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';
import { openAtProvider, pay } from './sale.ts';

export interface LinkPlan {
  amountKobo: number;
  description: string;
  expiresInDays: number;
  customerName?: string;
}

export async function makeLink(
  past: Past,
  { support }: Business,
  { customerName, ...link }: LinkPlan,
): Promise<PaymentLinkRow> {
  const row = await past.tx((tx) =>
    createPaymentLink(tx, support, {
      ...{ ...link, customerName: customerName ?? null, customerPhone: null },
      provider: 'auto',
    }),
  );
  return row!;
}

/** A payer opens the link and pays by card. */
export async function payByLink(past: Past, link: PaymentLinkRow, email: string): Promise<void> {
  const lifetimeMs = past.context.env.chargeLifetimeMs;
  const payer = { email, name: null, phone: null };
  const opened = await past.tx((tx) => openCharge(tx, link, payer, lifetimeMs));
  const sale = await openAtProvider(past, opened.id, opened.attemptId!);
  past.pass(3 * MINUTE_MS);
  await pay(past, sale, { channel: 'card' });
}

export function disable(past: Past, { owner }: Business, { id }: PaymentLinkRow): Promise<unknown> {
  return past.tx((tx) => disableLink(tx, owner, id));
}

const MOST_LINKS = 100;

export function expireOldLinks(past: Past): Promise<unknown> {
  return past.tx((tx) => expireLinks(tx, MOST_LINKS));
}

/** Puts the payment links of the month on the agenda. */
export function planLinks(
  past: Past,
  business: Business,
  at: (daysAgo: number, hour: number) => Date,
): void {
  const { agenda } = past;
  const make = (daysAgo: number, link: LinkPlan, then?: (row: PaymentLinkRow) => void) =>
    agenda.add(at(daysAgo, 10), async () => {
      const row = await makeLink(past, business, link);
      then?.(row);
    });
  const paid = (email: string) => (row: PaymentLinkRow) =>
    agenda.add(new Date(past.now().getTime() + DAY_MS), () => payByLink(past, row, email));
  make(24, { ...linkOf(45_000, 'Deposit for a wedding order', 14) }, paid('amaka.ibe@example.com'));
  make(
    15,
    { ...linkOf(12_500, 'Alterations'), customerName: 'Esther Gyang' },
    paid('esther@example.com'),
  );
  make(20, linkOf(30_000, 'Market stall, one day', 7));
  make(12, linkOf(28_000, 'Gift box, old price', 30), (row) =>
    agenda.add(new Date(past.now().getTime() + 2 * DAY_MS), () => disable(past, business, row)),
  );
  make(5, linkOf(75_000, 'Aso ebi for the Okafor family', 30));
  make(1, { ...linkOf(19_900, 'Gele tying class', 14) });
  agenda.add(at(1, 23), () => expireOldLinks(past));
}

function linkOf(naira: number, description: string, expiresInDays = 14): LinkPlan {
  return { amountKobo: naira * 100, description, expiresInDays };
}
