import { expect } from 'chai';
import QRCode from 'qrcode';
import { expectPage, newLink } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('The QR code of a payment link', () => {
  const stack = useStack({ workers: false });

  const image = (path: string) => writingNothing(stack, () => fetch(`${stack.origin}/l/${path}`));
  const look = { margin: 4, errorCorrectionLevel: 'M' } as const;

  it('is an SVG and a PNG of its address, for anybody to show and every cache to keep', async () => {
    const link = await newLink(stack);
    const expected = {
      svg: [
        'image/svg+xml; charset=utf-8',
        await QRCode.toString(link.url, { ...look, type: 'svg' }),
      ],
      png: ['image/png', (await QRCode.toBuffer(link.url, { ...look, width: 1_024 })).toString()],
    };
    for (const [kind, [type, content]] of Object.entries(expected)) {
      const answer = await image(`${link.id}/qr.${kind}`);
      expect(answer.status).to.equal(200);
      expect(Object.fromEntries(answer.headers)).to.include({
        'content-type': type,
        'cache-control': 'public, max-age=86400',
        'content-disposition': `inline; filename="payment-link-${link.id}.${kind}"`,
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(await answer.text()).to.equal(content);
    }
  });

  it('is there for known links alone, in these two kinds', async () => {
    const { id } = await newLink(stack);
    for (const path of ['lnk_01h455vb4pex5vsknk084sn02q/qr.svg', 'x/qr.png', `${id}/qr.gif`]) {
      const answer = await rawRequest(stack.baseUrl, { path: `/l/${path}` });
      expectPage(answer, 404, 'There is no such payment link', path);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
    }
  });
});
