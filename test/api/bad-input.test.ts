import { expect } from 'chai';
import type { AnyRoute, JsonSchema } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { expectError } from '../support/contract.ts';
import { credentialFor, nameOf, pathOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

type Properties = Record<string, JsonSchema>;

const NUL = String.fromCharCode(0);

/** Values a field does not take, made from what its schema says it takes. */
function badValuesOf(schema: JsonSchema): unknown[] {
  const {
    type,
    enum: values,
    minLength,
    maxLength,
    minimum,
    maximum,
    format,
    items,
    maxItems,
  } = schema as Record<string, any>;
  const bad: unknown[] = [];
  if (values) bad.push('no-such-value', 7, {});
  if (type === 'integer') bad.push(1.5, '10000', true, 2 ** 60, [], {});
  if (type === 'string') bad.push(7, true, [], {}, `a${NUL}b`, '\ud800');
  if (type === 'object') bad.push('text', 7, []);
  if (type === 'array') bad.push('text', 7, {});
  if (minLength !== undefined) bad.push('');
  if (maxLength !== undefined) bad.push('x'.repeat(maxLength + 1));
  if (minimum !== undefined) bad.push(minimum - 1);
  if (maximum !== undefined) bad.push(maximum + 1);
  if (maxItems !== undefined)
    bad.push(Array.from({ length: maxItems + 1 }, () => 'https://shop.example'));
  if (items) bad.push([7]);
  if (format === 'email') bad.push('ada', 'ada@', 'a b@example.com');
  if (format === 'phone') bad.push('0803-CALL-ME', '123', '1'.repeat(20));
  if (format === 'web-address')
    bad.push(
      'shop.example',
      'http://shop.example',
      'https://me:secret@shop.example',
      'javascript:alert(1)',
    );
  if (format === 'date')
    bad.push('2026-02-30', '2026-13-01', '01/02/2026', '2026-01-01T00:00:00Z', '0');
  if (format === 'printable') bad.push('tab\there', 'new\nline');
  return bad;
}

/** Every field of a body with each value it does not take; fields of fields under their dotted names. */
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

/** As strings: a query has nothing else. */
function badQueriesOf(schema: JsonSchema): { name: string; value: string }[] {
  return Object.entries((schema.properties ?? {}) as Properties).flatMap(([name, property]) => {
    const { type } = property as { type?: string };
    const values =
      type === 'integer'
        ? ['x', '1.5', '0', '-1', '1000000', '', '1 2', 'NaN', 'Infinity', '-1e999']
        : badValuesOf(property).filter((v) => typeof v === 'string');
    // A query of broken Unicode cannot be written down: U+FFFD arrives.
    return values.filter((value) => value.isWellFormed()).map((value) => ({ name, value }));
  });
}

describe('Bad input', () => {
  let stack: Stack;
  let keyOf: (route: AnyRoute) => string | null;
  let reference: string;
  before(async () => {
    stack = await startStack({ workers: false });
    keyOf = await credentialFor(stack);
    reference = (
      await stack.api.post('/charges', { amount_kobo: 10_000, email: 'ada@example.com' })
    ).json.reference;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const send = (route: AnyRoute, search = '', body?: unknown) =>
    stack.api.send(
      route.method.toUpperCase(),
      `${pathOf(route, reference, stack.clock())}${search}`,
      body,
      { key: keyOf(route) },
    );

  for (const route of routes.filter(({ body }) => body)) {
    it(`in any field of the body of ${nameOf(route)} is named`, () =>
      writingNothing(stack, async () => {
        for (const { name, body } of badBodiesOf(route.body!)) {
          const refused = await send(route, '', body);
          expectError(
            { ...refused, text: '' },
            422,
            'validation_failed',
            Object.keys(refused.json.error?.fields ?? {}),
          );
          const named = Object.keys(refused.json.error.fields);
          expect(
            named.some((field) => field === name || field.startsWith(`${name}.`)),
            `${JSON.stringify(body)} → ${refused.text}`,
          ).to.equal(true);
        }
      }));

    const required = (route.body as { required?: string[] }).required ?? [];
    if (required.length > 0) {
      it(`is what an empty body of ${nameOf(route)} is told for every field it needs`, async () => {
        const refused = await writingNothing(stack, () => send(route, '', {}));
        expectError(refused, 422, 'validation_failed', required);
      });
    }
  }

  for (const route of routes.filter(({ method }) => method !== 'get')) {
    it(`in a field ${nameOf(route)} does not have is named`, async () => {
      const refused = await writingNothing(stack, () => send(route, '', { no_such_field: 1 }));
      expect(refused.status).to.equal(422);
      expect(refused.json.error.fields).to.have.property('no_such_field');
    });
  }

  for (const route of routes) {
    it(`in any field of the query of ${nameOf(route)} is named`, () =>
      writingNothing(stack, async () => {
        const body = route.method === 'get' ? undefined : {};
        for (const { name, value } of badQueriesOf(route.query ?? {})) {
          const refused = await send(route, `?${new URLSearchParams({ [name]: value })}`, body);
          expect(refused.status, `${name}=${value} → ${refused.text}`).to.equal(422);
          expect(refused.json.error.fields, `${name}=${value}`).to.have.property(name);
        }
        const unknown = await send(route, '?no_such_field=1', body);
        expect(unknown.status, unknown.text).to.equal(422);
        expect(unknown.json.error.fields).to.have.property('no_such_field');
      }));
  }
});
