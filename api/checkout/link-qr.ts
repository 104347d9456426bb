import type { Response } from 'express';
import QRCode from 'qrcode';
import type { Context } from '../../config/context.ts';
import { linkUrlOf } from '../../domain/payments/payment-link/row.ts';

export const qrKinds = ['svg', 'png'] as const;
export type QrKind = (typeof qrKinds)[number];

/** Four modules of white around the code, as its standard asks. */
const look = { margin: 4, errorCorrectionLevel: 'M' } as const;

/** Wide enough to print it on a page. */
const PNG_WIDTH_PX = 1_024;

const DAY_S = 86_400;

/** The code depends on the address alone: caches may keep it, and other sites show it. */
export async function sendQr({ env }: Context, response: Response, linkId: string, kind: QrKind) {
  const image = await qrOf[kind](linkUrlOf(linkId, env.publicUrl));
  response
    .set({
      'Cache-Control': `public, max-age=${DAY_S}`,
      'Content-Disposition': `inline; filename="payment-link-${linkId}.${kind}"`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    .type(kind)
    .send(image);
}

/** As this deployment serves it, but for `.svg` or `.png`. */
export function qrPathOf({ env }: Context, linkId: string): string {
  return `${env.basePath}/l/${linkId}/qr`;
}

const qrOf: Record<QrKind, (text: string) => Promise<string | Buffer>> = {
  svg: (text) => QRCode.toString(text, { type: 'svg', ...look }),
  png: (text) => QRCode.toBuffer(text, { type: 'png', width: PNG_WIDTH_PX, ...look }),
};
