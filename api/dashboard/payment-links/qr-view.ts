import { qrPathOf } from '../../checkout/link-qr.ts';
import { getPaymentLink } from '../../payment-links/get-payment-link.ts';
import type { View } from '../request.ts';

/** A payment link as a QR code, to print or to save. */
export const linkQrView: View = {
  path: '/payment-links/:id/qr',
  title: 'QR code',
  template: 'payment-links/qr',
  section: 'payment-links',
  permission: 'read',
  async load({ context, call, params: { id = '' } }) {
    const link = await call(getPaymentLink, { params: { id } });
    return { link, qr: qrPathOf(context, link.id) };
  },
};
