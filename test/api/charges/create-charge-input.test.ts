import { expect } from 'chai';
import { createChargeBody } from '../../../api/charges/schemas.ts';
import { checkerOf } from '../../../api/http/validation.ts';
import { namedBy, refusedFields } from '../../support/input.ts';

const good = { amount_kobo: 10_000, email: 'ada@example.com' };
const check = checkerOf(createChargeBody);

const NUL = '\u0000';
const LONE_SURROGATE = '\ud800';

/** Invalid texts. `around` makes a text of the field's own form that contains the invalid part. */
const noText = (longest: number, around = (bad: string) => `a${bad}`): unknown[] => [
  ...[7, true, null, {}, ['a'], ''],
  around(NUL),
  around(LONE_SURROGATE),
  'a'.repeat(longest + 1),
];

const refusedValues: Record<string, unknown[]> = {
  amount_kobo: [
    ...[undefined, 9_999, 0, -1, 100_000_000_001, Number.MAX_SAFE_INTEGER, 10_000.5],
    ...['10000', '', null, true, [10_000], {}, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ],
  email: [
    undefined,
    ...noText(254, (bad) => `a${bad}@example.com`),
    ...['ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', 'ada@example.com\n'],
    `${'a'.repeat(250)}@b.ng`,
  ],
  name: noText(100),
  reference: [...noText(100), 'a\nb', 'a\tb', '\u200b', '\u202egnp'],
  description: noText(500),
  phone: [
    ...noText(40, (bad) => `0803123456${bad}`),
    ...['123456', '1234567890123456', '08031234567x', '+', '0803+1234567'],
    ...['(0803) 123 4567', '٠٨٠٣١٢٣٤٥٦٧', '0803\n1234567'],
  ],
  return_url: [
    ...noText(2048, (bad) => `https://store.example/${bad}`),
    ...['store.example/done', '/done', 'http://store.example/', 'http://localhost.store.example/'],
    ...['http://10.0.0.1/', 'http://[::1]/', 'ftp://store.example/', 'javascript:alert(1)'],
    ...['data:text/html,hello', 'https://user@store.example/', 'https://user:pass@store.example/'],
    ...['https://', ' https://store.example/', 'https://store.example/a b'],
    ...['https://store\n.example/', `https://store.example/${'a'.repeat(2048)}`],
  ],
  provider: ['paystack', 'provider_d', 'AUTO', '', null, 7, ['auto']],
  metadata: [
    ...['{}', 7, true, null, [], ['a']],
    Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1])),
  ],
  currency: ['NGN'],
  Email: ['ada@example.com'],
  constructor: [{}],
};

/** Bodies as their JSON text, and the fields each is refused for. */
const refusedBodies: [title: string, json: string, fields: string[]][] = [
  ['amounts beyond any number', '{"amount_kobo":1e999,"email":"a@b.ng"}', ['amount_kobo']],
  ['__proto__', withMember('"__proto__":{"amount_kobo":10000}'), ['__proto__']],
  ['metadata of 1e999', withMember('"metadata":{"a":1e999}'), ['metadata.a']],
  ['metadata named __proto__', withMember('"metadata":{"__proto__":1}'), ['metadata.__proto__']],
  [
    '__proto__ of an object',
    withMember('"metadata":{"__proto__":{"a":1}}'),
    ['metadata.__proto__'],
  ],
  ['metadata 10,000 arrays deep', withMember(`"metadata":{"a":${deep(10_000)}}`), ['metadata.a']],
  ['40,000 arrays', deep(40_000), ['body']],
  ['an array', '[]', ['body']],
  ['a text', '"amount_kobo"', ['body']],
  ['a number', '10000', ['body']],
  ['null', 'null', ['body']],
  ['an empty object', '{}', ['amount_kobo', 'email']],
  [
    'several wrong fields',
    '{"amount_kobo":1,"name":7,"extra":1}',
    ['email', 'extra', 'amount_kobo', 'name'],
  ],
];

const refusedMetadata: [title: string, metadata: unknown, ...fields: string[]][] = [
  ['an object', { cart: { id: 1 } }, 'cart'],
  ['an array', { cart: [1] }, 'cart'],
  ['a text of 501 characters', { cart: 'a'.repeat(501) }, 'cart'],
  ['a NUL', { cart: NUL }, 'cart'],
  ['half a surrogate pair', { cart: LONE_SURROGATE }, 'cart'],
  ['an empty name', { '': 1 }, ''],
  ['a name of 41 characters', { ['k'.repeat(41)]: 1 }, 'k'.repeat(41)],
  ['a name with a NUL', { [`a${NUL}`]: 1 }, `a${NUL}`],
  ['a name with half a surrogate pair', { [`a${LONE_SURROGATE}`]: 1 }, `a${LONE_SURROGATE}`],
  ['two wrong values', { one: [], fine: 1, two: {} }, 'one', 'two'],
];

function withMember(member: string): string {
  return `{"amount_kobo":10000,"email":"ada@example.com",${member}}`;
}

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

describe('The body of POST /charges', () => {
  for (const [field, values] of Object.entries(refusedValues)) {
    it(`is refused, naming ${field}, for each invalid value of ${field}`, () => {
      for (const value of values) {
        const body = { ...good, [field]: value };
        if (value === undefined) delete (body as Record<string, unknown>)[field];
        expect(namedBy(check, body), `${JSON.stringify(value)}`).to.deep.equal([field]);
      }
    });
  }

  for (const [title, metadata, ...names] of refusedMetadata) {
    it(`is refused for metadata with ${title}, naming it`, () => {
      const named = namedBy(check, { ...good, metadata });
      expect(named).to.deep.equal(names.map((name) => `metadata.${name}`));
    });
  }

  for (const [title, json, fields] of refusedBodies) {
    it(`is refused when it is or contains ${title}, naming ${fields.join(', ')}`, () => {
      expect(namedBy(check, JSON.parse(json))).to.have.members(fields);
    });
  }

  it('is refused for a thousand invalid fields, naming at most 20', () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(60)}${index}`, 1]),
    );
    expect(namedBy(check, { ...good, ...wrong })).to.have.length(20);
  });

  it('is refused for a small amount, naming the least one', () => {
    const { amount_kobo: message } = refusedFields(check, { ...good, amount_kobo: 9_999 });
    expect(message).to.include('100 naira').and.include('10000');
  });

  it('is refused for an invalid name in metadata, naming the name, not its value', () => {
    const metadata = { '': 1, ['k'.repeat(41)]: 1 };
    expect(Object.values(refusedFields(check, { ...good, metadata }))).to.have.members([
      'has a name that must not be empty',
      'has a name that must have at most 40 characters',
    ]);
  });
});
