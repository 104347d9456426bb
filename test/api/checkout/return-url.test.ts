import { expect } from 'chai';
import { returnUrlOf } from '../../../api/checkout/return-url.ts';

const back = (returnUrl: string | null) =>
  returnUrlOf({ return_url: returnUrl, number: 100_042, status: 'succeeded' });
const ADDED = 'reference=SV-100042&status=succeeded';

describe('The address that leads the payer back', () => {
  const cases: [title: string, given: string, expected: string][] = [
    ['without a query', 'https://shop.example/done', `https://shop.example/done?${ADDED}`],
    ['without a path', 'https://shop.example', `https://shop.example/?${ADDED}`],
    [
      'with a query and a fragment',
      'https://shop.example/done?order=7&x=1#top',
      `https://shop.example/done?order=7&x=1&${ADDED}#top`,
    ],
    [
      'with a query that a form would write otherwise',
      'https://shop.example/?q=a%20b&flag&empty=&plus=a+b&list=1&list=2&e=%C3%A9',
      `https://shop.example/?q=a%20b&flag&empty=&plus=a+b&list=1&list=2&e=%C3%A9&${ADDED}`,
    ],
    [
      'with the same names, whose values are replaced',
      'https://shop.example/?reference=mine&order=7&st%61tus=open&references=2',
      `https://shop.example/?order=7&references=2&${ADDED}`,
    ],
    ['with stray separators', 'https://shop.example/?&a=1&&', `https://shop.example/?a=1&${ADDED}`],
  ];
  for (const [title, given, expected] of cases)
    it(title, () => expect(back(given)).to.equal(expected));

  it('is none where the merchant gave none', () => expect(back(null)).to.equal(null));
});
