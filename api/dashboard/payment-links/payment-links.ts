import { linkStatuses } from '../../../domain/payments/entities/payment-link.ts';
import { qrPathOf } from '../../checkout/link-qr.ts';
import { createPaymentLink } from '../../payment-links/create-payment-link.ts';
import { disablePaymentLink } from '../../payment-links/disable-payment-link.ts';
import { listPaymentLinks } from '../../payment-links/list-payment-links.ts';
import { koboOf } from '../amounts.ts';
import { filledFields, nextPage } from '../filters.ts';
import type { Form, View } from '../request.ts';

/** Payment links: make one, share it, disable it. */
export const paymentLinksView: View = {
  path: '/payment-links',
  title: 'Payment links',
  template: 'payment-links/payment-links',
  section: 'payment-links',
  permission: 'read',
  async load({ call, query }) {
    const filter = filledFields(query, ['status']);
    const page = await call(listPaymentLinks, {
      query: filledFields(query, ['status', 'cursor']),
    });
    return {
      links: page.data,
      filter,
      statuses: linkStatuses,
      nextHref: nextPage('/payment-links', filter, page.next_cursor),
    };
  },
};

export const createLinkForm: Form = {
  path: '/payment-links',
  view: paymentLinksView,
  permission: 'collect',
  async submit({ context, call, values }) {
    const { amount, description, name, phone, days } = values;
    const customer = { ...(name ? { name } : {}), ...(phone ? { phone } : {}) };
    const body = {
      amount_kobo: koboOf('amount_kobo', amount),
      description,
      ...(name || phone ? { customer } : {}),
      ...(days ? { expires_in_days: Number(days) } : {}),
    };
    const created = await call(createPaymentLink, { body });
    return { shown: { created, qr: qrPathOf(context, created.id) } };
  },
};

export const disableLinkForm: Form = {
  path: '/payment-links/:id/disable',
  view: paymentLinksView,
  permission: 'collect',
  async submit({ call, params: { id = '' } }) {
    await call(disablePaymentLink, { params: { id } });
    return { to: '/payment-links', notice: 'link_disabled' };
  },
};
