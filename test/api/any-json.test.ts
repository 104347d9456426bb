import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import type { Route } from '../../api/http/route.ts';
import type { JsonSchema } from '../../api/http/schema.ts';
import { routes } from '../../api/routes.ts';
import { credentialFor, nameOf, pathOf } from '../support/route-calls.ts';
import { useStack } from '../support/stack.ts';

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

const RUNS = 20;

describe('Any JSON sent to any endpoint', () => {
  const stack = useStack({ workers: false });
  let keyOf: (route: Route) => string | null;
  let reference: string;
  before(async () => {
    keyOf = await credentialFor(stack);
    reference = (
      await stack.api.post('/charges', { amount_kobo: 10_000, email: 'ada@example.com' })
    ).json.reference;
  });

  for (const route of routes.filter(({ method }) => method === 'post' || method === 'patch')) {
    it(`never makes ${nameOf(route)} fail: it is answered or refused`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(
            { weight: 1, arbitrary: fc.jsonValue() },
            { weight: 5, arbitrary: bodyOf(route.body ?? {}) },
          ),
          async (body) => {
            const path = pathOf(route, reference, stack.clock());
            const { status, text } = await stack.api.send(route.method.toUpperCase(), path, body, {
              key: keyOf(route),
            });
            expect(status, `${JSON.stringify(body)}\n${text}`).to.be.lessThan(500);
          },
        ),
        { numRuns: RUNS },
      ));
  }
});
