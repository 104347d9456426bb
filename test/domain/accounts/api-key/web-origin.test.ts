import { expect } from 'chai';
import { originOf } from '../../../../domain/accounts/api-key/web-origin.ts';

describe('A web origin', () => {
  const origins: [text: string, origin: string][] = [
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.Example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://shop.localhost', 'http://shop.localhost'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ];
  it('is read as browsers send it', () => {
    for (const [text, origin] of origins) {
      expect(originOf(text)).to.equal(origin);
      expect(originOf(origin)).to.equal(origin);
    }
  });

  it('is no address with anything else, nor one that needs no TLS', () => {
    const others = [
      ...['', '*', 'null', 'shop.example', '//shop.example', 'https:', 'https://', 'https://:443'],
      ...['https:shop.example', 'https://shop.example/', 'https://shop.example/cart'],
      ...['https://shop.example?a', 'https://shop.example#a', 'https:\\\\shop.example'],
      ...['https://ada@shop.example', 'https://*.shop.example', 'https://shop.example:99999'],
      ...['https://store.example, https://b.example', 'http://shop.example', 'ftp://shop.example'],
      ...['javascript:alert(1)', 'https://a b', 'https://a\nb', 'https://a\u200db.example'],
      ...['https://a\0b', 'https://a\ud800', ' https://shop.example', 'https://shop.example '],
    ];
    for (const text of others) expect(originOf(text), JSON.stringify(text)).to.equal(undefined);
  });
});
