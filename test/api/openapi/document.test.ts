import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import type { Route } from '../../../api/http/route.ts';
import { type JsonSchema, object, plain, string } from '../../../api/http/schema.ts';
import { beyondSchemas } from '../../../api/openapi/beyond-schemas.ts';
import { openApiOf } from '../../../api/openapi/document.ts';
import { tags } from '../../../api/openapi/tags.ts';
import type { Answer, Operation } from '../../../api/openapi/types.ts';
import { routes } from '../../../api/routes.ts';
import { permissions } from '../../../domain/accounts/roles.ts';
import { statusOf } from '../../../domain/shared/problems.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';
import {
  comparable,
  comparableFields,
  everySchema,
  operations,
  parametersOf,
} from './walk-document.ts';

const { schemas } = openApi.components;
const pathOf = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route): Operation => openApi.paths[pathOf(route)]![route.method]!;

const asJson = (value: unknown) => comparable(JSON.parse(JSON.stringify(value)));

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors = [] } = await validator.validate(structuredClone(openApi) as never);
    expect(errors, JSON.stringify(errors, null, 2)).to.deep.equal([]);
    expect([valid, validator.version]).to.deep.equal([true, '3.1']);
  });

  it('has no broken reference and no unused component', () => {
    const references = JSON.stringify(openApi).matchAll(
      /"(?:\$ref":"|[\w.]+":")#\/components\/([^"]+)"/g,
    );
    const referred = new Set([...references].map(([, place]) => place!));
    const { securitySchemes: _, ...kinds } = openApi.components;
    const present = Object.entries(kinds).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `${kind}/${name}`),
    );
    expect([...referred].filter((place) => !present.includes(place))).to.deep.equal([]);
    expect(present.filter((place) => !referred.has(place))).to.deep.equal([]);
  });

  it('has every endpoint once, under the operationId of its route', () => {
    const documented = operations.map(
      ({ method, path, operation }) => `${method} ${path} ${operation.operationId}`,
    );
    const named = routes.map((route) => `${route.method} ${pathOf(route)} ${route.operationId}`);
    expect(documented.sort()).to.deep.equal(named.sort());
    const ids = routes.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const id of ids) expect(id).to.match(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  it('has the schemas of the routes, with every limit and format', () => {
    for (const route of routes) {
      const operation = operationOf(route);
      const place = route.operationId;
      expect(operation.summary, place).to.equal(route.summary);
      for (const [status, schema] of Object.entries(route.answers)) {
        const answer = operation.responses[status] as Required<Answer>;
        expect(asJson(answer.content['application/json'].schema), place).to.deep.equal(
          asJson(schema),
        );
      }
      const body = operation.requestBody?.content['application/json']?.schema ?? null;
      expect(asJson(body), place).to.deep.equal(asJson(route.body ?? null));
      const query = parametersOf(operation).filter((parameter) => parameter.in === 'query');
      const { properties = {}, required = [] } = (route.query ?? {}) as {
        properties?: Record<string, JsonSchema>;
        required?: string[];
      };
      expect(
        Object.fromEntries(query.map(({ name, schema }) => [name, asJson(schema)])),
        place,
      ).to.deep.equal(comparableFields(JSON.parse(JSON.stringify(properties))));
      const needed = query.filter((parameter) => parameter.required).map(({ name }) => name);
      expect(needed, place).to.have.members(required);
      const inPath = parametersOf(operation).filter((parameter) => parameter.in === 'path');
      const names = inPath.map(({ name }) => `:${name}`);
      expect(names, place).to.deep.equal(route.path.match(/:\w+/g) ?? []);
      const takesKey = JSON.stringify(operation.parameters).includes('IdempotencyKey');
      expect(takesKey, place).to.equal(route.idempotent === true);
    }
  });

  it('names the credentials that may call each endpoint, and no others', () => {
    for (const route of routes) {
      const { security, description } = operationOf(route);
      const { credential, operationId } = route;
      const roles: readonly string[] = credential === 'none' ? [] : permissions[credential];
      const schemes = [
        ...(roles.includes('secret') ? ['secretKey'] : []),
        ...(roles.includes('public') ? ['publicKey'] : []),
        ...(roles.includes('owner') ? ['userToken'] : []),
      ];
      expect(security, operationId).to.deep.equal(schemes.map((scheme) => ({ [scheme]: [] })));
      for (const [role, word] of [
        ['secret', 'secret key'],
        ['public', 'public key'],
        ['developer', 'developer'],
        ['finance', 'finance'],
        ['support', 'support'],
        ['viewer', 'viewer'],
      ])
        expect(description.includes(word!), `${operationId}: ${description}`).to.equal(
          roles.includes(role!),
        );
    }
  });

  it('introduces what no schema can say, by operations that there are', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    for (const { operations: named = [], rule } of beyondSchemas) {
      expect(ids).to.include.members(named);
      expect(openApi.info.description).to.include(rule);
    }
  });

  it('describes every tag, parameter and field', () => {
    const fields = everySchema().flatMap(({ pointer: place, schema }) =>
      Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
        ([name, field]) => ({ place: `${place}.${name}`, description: field.description }),
      ),
    );
    const parameters = operations.flatMap(({ operation }) =>
      parametersOf(operation).map(({ name, description }) => ({
        place: `${operation.operationId}.${name}`,
        description: description === `The ${name}.` ? '' : description,
      })),
    );
    const named = operations.flatMap(({ operation }) =>
      operation.tags.map((tag) => ({ place: tag, description: tags[tag]?.about })),
    );
    const bare = [...fields, ...parameters, ...named].filter(({ description }) => !description);
    expect(bare.map(({ place }) => place)).to.deep.equal([]);
    expect(fields.length).to.be.greaterThan(200);
  });

  it('gives examples that its own schemas accept', () => {
    const media = operations.flatMap(({ path, method, operation }) => [
      ...(operation.requestBody?.content['application/json']
        ? [pointerOf('paths', path, method, 'requestBody', 'content', 'application/json')]
        : []),
      ...Object.entries(operation.responses).flatMap(([status, answer]) =>
        '$ref' in answer
          ? []
          : [pointerOf('paths', path, method, 'responses', status, 'content', 'application/json')],
      ),
    ]);
    const shared = Object.keys(openApi.components.responses).map((name) =>
      pointerOf('components', 'responses', name, 'content', 'application/json'),
    );
    const webhooks = Object.keys(openApi['x-webhooks']).map((type) =>
      pointerOf('x-webhooks', type, 'post', 'requestBody', 'content', 'application/json'),
    );
    for (const pointer of [...media, ...shared, ...webhooks]) {
      const { example } = at(pointer) as { example: unknown };
      const shown = `${pointer} ${JSON.stringify(example)}`;
      expect(problemsWith(example, `${pointer}/schema`), shown).to.deep.equal([]);
    }
    for (const { pointer: place, schema } of everySchema())
      for (const example of (schema.examples ?? []) as unknown[])
        expect(problemsWith(example, place), `${place} ${example}`).to.deep.equal([]);
  });

  it('gives an example of settlement.landed that adds up', () => {
    const { example } =
      openApi['x-webhooks']['settlement.landed']!.post.requestBody!.content['application/json']!;
    const { data } = example as { data: Record<string, number> };
    expect(data).to.include({ object: 'settlement', status: 'landed', shortfall_kobo: 0 });
    const { gross_kobo, fee_kobo, refunds_kobo, chargebacks_kobo, foreign_kobo } = data;
    const left = gross_kobo! - fee_kobo! - refunds_kobo! - chargebacks_kobo!;
    expect(data.expected_amount_kobo).to.equal(left + foreign_kobo!);
  });

  it('has one Error, whose codes are all there are', () => {
    expect(schemas.ErrorCode!.enum).to.deep.equal(Object.keys(statusOf));
    const place = '/components/schemas/Error';
    for (const right of [
      { error: { code: 'not_found', message: 'No.' } },
      { error: { code: 'validation_failed', message: 'No.', fields: { a: 'is wrong' } } },
    ])
      expect(problemsWith(right, place)).to.deep.equal([]);
    for (const wrong of [
      { error: { code: 'teapot', message: 'No.' } },
      { error: { code: 'not_found', message: '' } },
      { error: { code: 'not_found' } },
      { error: { code: 'not_found', message: 'No.', stack: '…' } },
      { code: 'not_found', message: 'No.' },
    ])
      expect(problemsWith(wrong, place), JSON.stringify(wrong)).not.to.deep.equal([]);
  });

  it('refuses to be made of two different schemas with one title', () => {
    const one = (field: string): Route => ({
      method: 'get',
      path: `/${field}`,
      operationId: 'getOne',
      summary: 'One',
      credential: 'read',
      answers: { 200: plain(object('Thing', 'A thing.', { [field]: string('A text.') })) },
      handle: async () => ({ status: 200, body: {} }),
    });
    const twice = () => openApiOf([one('a'), one('b')], '');
    expect(twice).to.throw('Two different schemas are titled Thing.');
    expect(() => openApiOf([one('a'), { ...one('a'), path: '/b' }], '')).not.to.throw();
  });
});

function at(pointer: string): unknown {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce<unknown>((place, part) => (place as Record<string, unknown>)[part], openApi);
}
