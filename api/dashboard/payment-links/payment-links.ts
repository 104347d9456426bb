import { obstacleToMail, requireCustomer } from '../../../domain/payments/commands/mail-payer.ts';
import { linkStatuses } from '../../../domain/payments/entities/payment-link.ts';
import { requireLink, totalOfLinks } from '../../../domain/payments/payment-link/find.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { qrPathOf } from '../../checkout/link-qr.ts';
import { idOf } from '../../http/route.ts';
import { createPaymentLink } from '../../payment-links/create-payment-link.ts';
import { disablePaymentLink } from '../../payment-links/disable-payment-link.ts';
import { getPaymentLink } from '../../payment-links/get-payment-link.ts';
import { listPaymentLinks } from '../../payment-links/list-payment-links.ts';
import { mailPaymentLink } from '../../payment-links/mail-payment-link.ts';
import { koboOf } from '../amounts.ts';
import { calling, filled, MAILED_NOW } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { view } from '../request.ts';

export const paymentLinksView = view('payment-links', {
  async load(request) {
    const { rows, ...list } = await listed(request, listPaymentLinks, { filters: ['status'] });
    const { context, session, mode, now } = request;
    const status = linkStatuses.find((each) => each === list.filter.status);
    return {
      links: rows,
      ...list,
      total: await context.read((db) => totalOfLinks(db, session, { status, now })),
      csvHref: csvHref(request, list.filter),
      statuses: linkStatuses,
      noMail: obstacleToMail(context.mail !== null, mode),
    };
  },
  forms: [
    {
      path: '/payment-links',
      permission: 'manage payment links',
      async submit({ context, call, values }) {
        const { amount, description, days } = values;
        const customer = filled(values, 'name', 'email', 'phone');
        const body = {
          amount_kobo: koboOf('amount_kobo', amount),
          description,
          ...(Object.keys(customer).length > 0 ? { customer } : {}),
          ...(days ? { expires_in_days: Number(days) } : {}),
        };
        const { id, url } = await call(createPaymentLink, { body });
        return { once: { created: { url }, qr: qrPathOf(context, id) } };
      },
    },
    {
      path: '/payment-links/:id/mail',
      permission: 'mail payers',
      async ask({ context, session, params, now }) {
        const link = await requireLink(context.db, session, idOf(params));
        const email = requireCustomer({ sendsMail: context.mail !== null, now }, link);
        return {
          title: 'Mail this link?',
          facts: {
            Amount: formatNaira(link.amount_kobo),
            'What for': link.description,
            Customer: email,
          },
          consequence: MAILED_NOW,
        };
      },
      submit: calling(mailPaymentLink, 'payer_mailed'),
    },
    {
      path: '/payment-links/:id/disable',
      permission: 'manage payment links',
      async ask({ call, params }) {
        const {
          amount_kobo: amountKobo,
          description,
          customer,
          status,
        } = await call(getPaymentLink, { params });
        if (status !== 'active')
          throw new Problem('invalid_state', `This link is not active any more: it is ${status}.`);
        return {
          title: 'Disable this link?',
          facts: {
            Amount: formatNaira(amountKobo),
            'What for': description,
            ...(customer && { Customer: customer.name ?? customer.email ?? customer.phone }),
          },
          consequence: 'Nobody can pay by it any more. It is not enabled again: make another.',
        };
      },
      submit: calling(disablePaymentLink, 'link_disabled'),
    },
  ],
});

export const linkQrView = view('payment-links', {
  path: '/payment-links/:id/qr',
  title: 'QR code',
  template: 'payment-links/qr',
  async load({ context, call, params }) {
    const link = await call(getPaymentLink, { params });
    return { link, qr: qrPathOf(context, link.id) };
  },
});
