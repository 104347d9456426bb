import { createPaymentLink } from '../../../domain/payments/payment-link/create.ts';
import { disableLink } from '../../../domain/payments/payment-link/disable-link.ts';
import { expireLinks } from '../../../domain/payments/payment-link/expire-links.ts';
import { openCharge } from '../../../domain/payments/payment-link/open-charge.ts';
import type { PaymentLinkRow } from '../../../domain/payments/payment-link/row.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import { openAtProvider, pay } from './sale.ts';
import type { At, Story } from './story.ts';

const MOST_LINKS = 100;

/** Plans the payment links of the month. */
export function planLinks(story: Story, at: At): void {
  const { plan, later, tx, owner, developer } = story;
  const make = (
    daysAgo: number,
    naira: number,
    description: string,
    expiresInDays: number,
    then: (link: PaymentLinkRow) => void = () => {},
  ) =>
    plan(at(daysAgo, 10), async () => {
      const link = { amountKobo: naira * 100, description, expiresInDays };
      const nobody = {
        customerName: null,
        customerEmail: null,
        customerPhone: null,
        provider: 'auto',
      } as const;
      then((await tx((tx) => createPaymentLink(tx, developer, { ...link, ...nobody })))!);
    });
  const paidBy = (email: string) => (link: PaymentLinkRow) =>
    later(DAY_MS, () => payByLink(story, link, email));
  make(24, 45_000, 'Deposit for a wedding order', 14, paidBy('amaka.ibe@example.com'));
  make(15, 12_500, 'Alterations', 14, paidBy('esther@example.com'));
  make(20, 30_000, 'Market stall, one day', 7);
  make(12, 28_000, 'Gift box, old price', 30, ({ id }) =>
    later(2 * DAY_MS, () => tx((tx) => disableLink(tx, owner, id))),
  );
  make(5, 75_000, 'Aso ebi for the Okafor family', 30);
  make(1, 19_900, 'Gele tying class', 14);
  plan(at(1, 23), () => tx((tx) => expireLinks(tx, MOST_LINKS)));
}

async function payByLink(story: Story, link: PaymentLinkRow, email: string): Promise<void> {
  const lifetimeMs = story.context.env.chargeLifetimeMs;
  const payer = { email, name: null, phone: null };
  const opened = await story.tx((tx) => openCharge(tx, link, payer, lifetimeMs));
  const sale = await openAtProvider(story, opened.id, opened.attemptId!);
  story.pass(3 * MINUTE_MS);
  await pay(story, sale, { channel: 'card' });
}
