import { expect } from 'chai';
import { createChargeBody } from '../../../api/charges/schemas.ts';
import { checkerOf } from '../../../api/http/validation.ts';
import { namedBy, refusedFields } from '../../support/input.ts';

const good = { amount_kobo: 10_000, email: 'ada@example.com' };
const check = checkerOf(createChargeBody);
const withMember = (member: string) => `{"amount_kobo":10000,"email":"ada@example.com",${member}}`;
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const refusedBodies: [json: string, ...fields: string[]][] = [
  ['{"amount_kobo":1e999,"email":"a@b.ng"}', 'amount_kobo'],
  [withMember('"currency":"NGN"'), 'currency'],
  [withMember('"Email":"ada@example.com"'), 'Email'],
  [withMember('"constructor":{}'), 'constructor'],
  [withMember('"__proto__":{"amount_kobo":10000}'), '__proto__'],
  [withMember('"provider":["auto"]'), 'provider'],
  [withMember('"metadata":{"a":1e999}'), 'metadata.a'],
  [withMember('"metadata":{"__proto__":1}'), 'metadata.__proto__'],
  [withMember('"metadata":{"__proto__":{"a":1}}'), 'metadata.__proto__'],
  [withMember(`"metadata":{"a":${deep(10_000)}}`), 'metadata.a'],
  [withMember('"metadata":{"one":[],"fine":1,"two":{}}'), 'metadata.one', 'metadata.two'],
  [withMember('"metadata":{"cart":"a\\u0000"}'), 'metadata.cart'],
  [withMember('"metadata":{"cart":"a\\ud800"}'), 'metadata.cart'],
  [withMember(`"metadata":{"cart":"${'a'.repeat(501)}"}`), 'metadata.cart'],
  [withMember('"metadata":{"a\\u0000":1}'), 'metadata.a\0'],
  [withMember('"metadata":{"a\\ud800":1}'), 'metadata.a\ud800'],
  ...[deep(40_000), '[]', '"amount_kobo"', '10000', 'null'].map((json): [string, string] => [
    json,
    'body',
  ]),
  ['{}', 'amount_kobo', 'email'],
  ['{"amount_kobo":1,"name":7,"extra":1}', 'email', 'extra', 'amount_kobo', 'name'],
];

describe('The body of POST /charges', () => {
  for (const [json, ...fields] of refusedBodies)
    it(`is refused when it is ${json.slice(0, 90)}, naming ${fields.join(', ')}`, () =>
      expect(namedBy(check, JSON.parse(json))).to.have.members(fields));

  it('is refused for a thousand invalid fields, naming at most 20', () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(60)}${index}`, 1]),
    );
    expect(namedBy(check, { ...good, ...wrong })).to.have.length(20);
  });

  it('is refused for an invalid name in metadata, naming the name, not its value', () => {
    const metadata = { '': 1, ['k'.repeat(41)]: 1 };
    expect(refusedFields(check, { ...good, metadata })).to.deep.equal({
      'metadata.': 'has a name that must not be empty',
      [`metadata.${'k'.repeat(41)}`]: 'has a name that must have at most 40 characters',
    });
  });
});
