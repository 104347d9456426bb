import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import type { Route } from '../../api/http/route.ts';
import type { JsonSchema } from '../../api/http/schema.ts';
import { checkerOf, queryCheckerOf } from '../../api/http/validation.ts';
import { routes } from '../../api/routes.ts';
import { newCharge } from '../support/charges.ts';
import { expectError, expectRefused } from '../support/contract.ts';
import { type Check, namedBy } from '../support/input.ts';
import { credentialFor, nameOf, pathOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { useStack } from '../support/stack.ts';

type Properties = Record<string, JsonSchema>;

const NUL = String.fromCharCode(0);

/** Values a field refuses, by the keyword of its schema that refuses them. */
const refusedBy: Record<string, (value: any) => unknown[]> = {
  enum: () => ['no-such-value', 7, {}],
  minLength: () => [''],
  maxLength: (most) => ['x'.repeat(most + 1)],
  minimum: (least) => [least - 1],
  maximum: (most) => [most + 1],
  maxItems: (most) => [Array.from({ length: most + 1 }, () => 'https://store.example')],
  items: () => [[7]],
  maxProperties: (most) => [
    Object.fromEntries(Array.from({ length: most + 1 }, (_, n) => [n, 'x'])),
  ],
};

const refusedByType: Record<string, unknown[]> = {
  integer: [1.5, '10000', true, 2 ** 60, [], {}, null],
  string: [7, true, [], {}, `a${NUL}b`, '\ud800', null],
  object: ['text', 7, []],
  array: ['text', 7, {}],
};

const refusedByFormat: Record<string, string[]> = {
  email: ['ada', 'ada@', 'a b@example.com'],
  phone: ['0803-CALL-ME', '123', '1'.repeat(20)],
  'web-address': [
    'store.example',
    'http://store.example',
    'https://me:secret@store.example',
    'javascript:alert(1)',
  ],
  date: ['2026-02-30', '2026-13-01', '01/02/2026', '2026-01-01T00:00:00Z', '0'],
  printable: ['tab\there', 'new\nline'],
  cursor: ['a b', 'a=='],
};

function badValuesOf(schema: JsonSchema): unknown[] {
  const { type, format } = schema as { type?: string; format?: string };
  return [
    ...(refusedByType[String(type)] ?? []),
    ...(refusedByFormat[String(format)] ?? []),
    ...Object.entries(schema).flatMap(([keyword, value]) => refusedBy[keyword]?.(value) ?? []),
  ];
}

function badBodiesOf(schema: JsonSchema, inside: string[] = []): { name: string; body: unknown }[] {
  return Object.entries((schema.properties ?? {}) as Properties).flatMap(([name, property]) => {
    const path = [...inside, name];
    const here = badValuesOf(property).map((value) => ({
      name: path.join('.'),
      body: nest(path, value),
    }));
    return [...here, ...badBodiesOf(property, path)];
  });
}

function nest(path: string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

const badNumbers = ['x', '1.5', '0', '-1', '1000000000000', '', '1 2', 'NaN', 'Infinity', '-1e999'];

/** As strings, because a query has no other values. */
function badQueriesOf(schema: JsonSchema): { name: string; value: string }[] {
  return Object.entries((schema.properties ?? {}) as Properties).flatMap(([name, property]) => {
    const { type } = property as { type?: string };
    const values = type === 'integer' ? badNumbers : badValuesOf(property);
    return values.flatMap((value) => (typeof value === 'string' ? [{ name, value }] : []));
  });
}

function expectNamed(check: Check, input: unknown, name: string): void {
  const named = namedBy(check, input);
  expect(
    named.some((field) => field === name || field.startsWith(`${name}.`)),
    `${JSON.stringify(input)} names ${named.join(', ') || 'nothing'} and not ${name}`,
  ).to.equal(true);
}

/** The values sent in a field: some fit its schema, others are any JSON. */
function valueFor(schema: JsonSchema): Arbitrary<unknown> {
  const {
    type,
    enum: values,
    minimum = 0,
    maximum = 1e12,
    format,
    properties,
  } = schema as Record<string, any>;
  const anything = fc.jsonValue({ maxDepth: 3 });
  const sound: Arbitrary<unknown>[] = [];
  if (values) sound.push(fc.constantFrom(...values));
  if (type === 'integer')
    sound.push(fc.integer({ min: minimum, max: Math.min(maximum, Number.MAX_SAFE_INTEGER) }));
  if (type === 'string')
    sound.push(
      format === 'email' ? fc.emailAddress() : fc.string({ unit: 'binary', maxLength: 50 }),
    );
  if (properties) sound.push(bodyOf(schema));
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    ...sound.map((arbitrary) => ({ weight: 4, arbitrary })),
  );
}

function bodyOf(schema: JsonSchema): Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valueFor(property)]),
  );
  const some = fc.record(known, { requiredKeys: [] });
  return fc.oneof(
    { weight: 8, arbitrary: some },
    { weight: 1, arbitrary: some.map((body) => ({ ...body, more: 1 })) },
  );
}

const NOTHING = { type: 'object', additionalProperties: false, properties: {} };

describe('Input that does not fit its schema', () => {
  for (const route of routes) {
    it(`is named, for every field of ${nameOf(route)}`, () => {
      const checkBody = checkerOf(route.body ?? NOTHING);
      for (const { name, body } of badBodiesOf(route.body ?? NOTHING))
        expectNamed(checkBody, body, name);
      expect(namedBy(checkBody, {})).to.deep.equal(route.body?.required ?? []);
      expectNamed(checkBody, { no_such_field: 1 }, 'no_such_field');

      const checkQuery = queryCheckerOf(route.query ?? NOTHING);
      for (const { name, value } of badQueriesOf(route.query ?? NOTHING))
        expectNamed(checkQuery, { [name]: value }, name);
      expectNamed(checkQuery, { no_such_field: '1' }, 'no_such_field');
    });
  }
});

describe('Every endpoint', () => {
  const stack = useStack({ workers: false });
  let keyOf: (route: Route) => string | null;
  let reference: string;
  before(async () => {
    keyOf = await credentialFor(stack);
    ({ reference } = await newCharge(stack));
  });

  const send = (route: Route, search: string, raw?: string, type = 'application/json') =>
    stack.api.send(
      route.method.toUpperCase(),
      `${pathOf(route, reference, stack.clock())}${search}`,
      undefined,
      { key: keyOf(route), ...(raw !== undefined && { raw, headers: { 'content-type': type } }) },
    );

  for (const route of routes.filter(({ method }) => method === 'post' || method === 'patch'))
    it(`answers or refuses any JSON, as ${nameOf(route)} does, and never fails`, () => {
      const bodies = fc.oneof(
        { weight: 1, arbitrary: fc.jsonValue() },
        { weight: 5, arbitrary: bodyOf(route.body ?? {}) },
      );
      const answers = fc.asyncProperty(bodies, async (body) => {
        const { status, text } = await send(route, '', JSON.stringify(body));
        expect(status, `${JSON.stringify(body)}\n${text}`).to.be.lessThan(500);
      });
      return fc.assert(answers, { numRuns: 20 });
    });

  // What a picture may be: test/api/business/logo.test.ts.
  for (const route of routes.filter(({ image }) => !image)) {
    it(`refuses a malformed request, as ${nameOf(route)} does, and writes nothing`, () =>
      writingNothing(stack, async () => {
        const { method, query, body, maxBodyBytes = 100 * 1024 } = route;
        const asked = await send(route, '?no_such_field=1', method === 'get' ? undefined : '{}');
        const needed = (query?.required ?? []) as string[];
        expectRefused(asked, 'validation_failed', [...needed, 'no_such_field']);
        if (method === 'get') return;
        const tooMuch = JSON.stringify({ more: 'x'.repeat(maxBodyBytes) });
        const required = (body?.required ?? []) as string[];
        if (required.length > 0)
          expectRefused(await send(route, ''), 'validation_failed', required);
        const unknown = await send(route, '', '{"more":1}');
        expectRefused(unknown, 'validation_failed', [...required, 'more']);
        expectError(await send(route, '', '{'), 400, 'validation_failed', ['body']);
        expectRefused(await send(route, '', '{}', 'text/plain'), 'unsupported_media_type');
        expectRefused(await send(route, '', tooMuch), 'payload_too_large');
      }));
  }
});
