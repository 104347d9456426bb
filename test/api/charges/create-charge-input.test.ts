import { expect } from 'chai';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

const good = { amount_kobo: 10_000, email: 'ada@example.com' };

/** A charge's body with one thing changed, as JSON text. `undefined` leaves the field out. */
const withField = (name: string, value: unknown) => JSON.stringify({ ...good, [name]: value });
/** A charge's body with one thing added as it would be written by hand. */
const withText = (member: string) => `{"amount_kobo":10000,"email":"ada@example.com",${member}}`;

interface Case {
  title: string;
  body: string;
  fields: string[];
}

const NUL = '\u0000';
const LONE = '\ud800';

const wrongForAnyText = (name: string): Case[] =>
  [
    ['a number', 7],
    ['true', true],
    ['null', null],
    ['an object', {}],
    ['an array', ['a']],
    ['empty', ''],
  ].map(([what, value]) => ({
    title: `${name} is ${what}`,
    body: withField(name, value),
    fields: [name],
  }));

/** JSON can say what JavaScript's strings should not hold: each must be refused before Postgres is. */
const unstorable = (name: string, around: (bad: string) => string): Case[] => [
  { title: `${name} holds a NUL`, body: withField(name, around(NUL)), fields: [name] },
  {
    title: `${name} holds half a surrogate pair`,
    body: withField(name, around(LONE)),
    fields: [name],
  },
];

const text = (name: string, longest: number, around = (bad: string) => `a${bad}`): Case[] => [
  ...wrongForAnyText(name),
  ...unstorable(name, around),
  {
    title: `${name} is longer than ${longest}`,
    body: withField(name, 'a'.repeat(longest + 1)),
    fields: [name],
  },
];

const each = (name: string, values: unknown[]): Case[] =>
  values.map((value) => ({
    title: `${name} is ${JSON.stringify(value)?.slice(0, 60)}`,
    body: withField(name, value),
    fields: [name],
  }));

const metadata = (title: string, value: unknown, ...fields: string[]): Case => ({
  title: `metadata ${title}`,
  body: withField('metadata', value),
  fields,
});

const cases: Case[] = [
  {
    title: 'amount_kobo is missing',
    body: withField('amount_kobo', undefined),
    fields: ['amount_kobo'],
  },
  ...each('amount_kobo', [
    9_999,
    0,
    -1,
    100_000_000_001,
    Number.MAX_SAFE_INTEGER,
    10_000.5,
    '10000',
    '',
    null,
    true,
    [10_000],
    {},
  ]),
  {
    title: 'amount_kobo is 1e999',
    body: '{"amount_kobo":1e999,"email":"ada@example.com"}',
    fields: ['amount_kobo'],
  },
  {
    title: 'amount_kobo is -1e999',
    body: '{"amount_kobo":-1e999,"email":"ada@example.com"}',
    fields: ['amount_kobo'],
  },

  { title: 'email is missing', body: withField('email', undefined), fields: ['email'] },
  ...text('email', 254, (bad) => `a${bad}@example.com`),
  ...each('email', [
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@example.com\n',
    `${'a'.repeat(250)}@b.ng`,
  ]),

  ...text('name', 100),
  ...text('reference', 100),
  ...each('reference', ['a\nb', 'a\tb', '\u200b', '\u202egnp']),
  ...text('description', 500),

  ...text('phone', 40, (bad) => `0803123456${bad}`),
  ...each('phone', [
    '123456',
    '1234567890123456',
    '08031234567x',
    '+',
    '0803+1234567',
    '(0803) 123 4567',
    '٠٨٠٣١٢٣٤٥٦٧',
    '0803\n1234567',
  ]),

  ...text('return_url', 2048, (bad) => `https://shop.example/${bad}`),
  ...each('return_url', [
    'shop.example/done',
    '/done',
    'http://shop.example/',
    'http://localhost.shop.example/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'https://user@shop.example/',
    'https://user:pass@shop.example/',
    'https://',
    ' https://shop.example/',
    'https://shop.example/a b',
    'https://shop\n.example/',
    `https://shop.example/${'a'.repeat(2048)}`,
  ]),

  ...each('provider', ['paystack', 'provider_d', 'AUTO', '', null, 7, ['auto']]),

  ...each('metadata', ['{}', 7, true, null, [], ['a']]),
  metadata('holds an object', { cart: { id: 1 } }, 'metadata.cart'),
  metadata('holds an array', { cart: [1] }, 'metadata.cart'),
  metadata('holds a text of 501', { cart: 'a'.repeat(501) }, 'metadata.cart'),
  metadata('holds a NUL', { cart: NUL }, 'metadata.cart'),
  metadata('holds half a surrogate pair', { cart: LONE }, 'metadata.cart'),
  metadata('has an empty name', { '': 1 }, 'metadata.'),
  metadata('has a name of 41', { ['k'.repeat(41)]: 1 }, `metadata.${'k'.repeat(41)}`),
  metadata('has a name with a NUL', { [`a${NUL}`]: 1 }, `metadata.a${NUL}`),
  metadata('has a name with half a surrogate pair', { [`a${LONE}`]: 1 }, `metadata.a${LONE}`),
  metadata(
    'has 51 names',
    Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1])),
    'metadata',
  ),
  metadata('is wrong in two places', { one: [], fine: 1, two: {} }, 'metadata.one', 'metadata.two'),
  {
    title: 'metadata holds 1e999',
    body: withText('"metadata":{"a":1e999}'),
    fields: ['metadata.a'],
  },
  {
    title: 'metadata has the name __proto__',
    body: withText('"metadata":{"__proto__":1}'),
    fields: ['metadata.__proto__'],
  },
  {
    title: 'metadata has __proto__ with an object',
    body: withText('"metadata":{"__proto__":{"a":1}}'),
    fields: ['metadata.__proto__'],
  },

  { title: 'an unknown field is sent', body: withField('currency', 'NGN'), fields: ['currency'] },
  { title: 'a field is misspelt', body: withField('Email', 'ada@example.com'), fields: ['Email'] },
  {
    title: '__proto__ is sent',
    body: withText('"__proto__":{"amount_kobo":10000}'),
    fields: ['__proto__'],
  },
  { title: 'constructor is sent', body: withText('"constructor":{}'), fields: ['constructor'] },
  {
    title: 'several fields are wrong',
    body: '{"amount_kobo":1,"name":7,"extra":1}',
    fields: ['amount_kobo', 'email', 'extra', 'name'],
  },

  {
    title: 'metadata is 10,000 arrays deep',
    body: withText(`"metadata":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    fields: ['metadata.a'],
  },
  {
    title: 'the body is 40,000 arrays deep',
    body: `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
    fields: ['body'],
  },
  { title: 'the body is an array', body: '[]', fields: ['body'] },
  { title: 'the body is a text', body: '"amount_kobo"', fields: ['body'] },
  { title: 'the body is a number', body: '10000', fields: ['body'] },
  { title: 'the body is null', body: 'null', fields: ['body'] },
  { title: 'the body is an empty object', body: '{}', fields: ['amount_kobo', 'email'] },
  { title: 'the body is empty', body: '', fields: ['amount_kobo', 'email'] },
];

describe('POST /charges refuses, naming the field and writing nothing, when', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ workers: false });
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  for (const { title, body, fields } of cases) {
    it(title, async () => {
      const refused = await writingNothing(stack, () =>
        stack.api.post('/charges', undefined, { raw: body }),
      );
      expectError(refused, 422, 'validation_failed', fields);
      expectContractHeaders(refused, stack.tenant.tenant_id);
    });
  }

  it('hundreds of fields are wrong, with an answer of bounded length', async () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(60)}${index}`, 1]),
    );
    const refused = await writingNothing(stack, () =>
      stack.api.post('/charges', { ...good, ...wrong }),
    );
    expectError(refused, 422, 'validation_failed');
    expect(refused.text.length).to.be.below(5_000);
  });

  it('the amount is too small, saying how much is the least', async () => {
    const refused = await stack.api.post('/charges', { ...good, amount_kobo: 9_999 });
    expect(refused.json.error.fields.amount_kobo).to.include('100 naira').and.include('10000');
  });

  it('a name in metadata is wrong, saying that it is the name and not what it names', async () => {
    const refused = await stack.api.post('/charges', {
      ...good,
      metadata: { '': 1, ['k'.repeat(41)]: 1 },
    });
    expect(Object.values(refused.json.error.fields)).to.have.members([
      'has a name that must not be empty',
      'has a name that must have at most 40 characters',
    ]);
  });

  it('a query is sent along', async () => {
    const refused = await writingNothing(stack, () => stack.api.post('/charges?expand=all', good));
    expectError(refused, 422, 'validation_failed', ['expand']);
  });
});
