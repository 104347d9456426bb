import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { formats } from '../../../api/http/formats.ts';
import type { Route } from '../../../api/http/route.ts';
import { type JsonSchema, object, plain, string } from '../../../api/http/schema.ts';
import { openApiOf } from '../../../api/openapi/document.ts';
import { tags } from '../../../api/openapi/tags.ts';
import type { Answer, Method, Operation, Parameter } from '../../../api/openapi/types.ts';
import { routes } from '../../../api/routes.ts';
import { permissions } from '../../../domain/accounts/roles.ts';
import { NIL_TENANT_ID } from '../../../domain/shared/ids.ts';
import { statusOf } from '../../../domain/shared/problems.ts';
import { newCharge } from '../../support/charges.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const { schemas } = openApi.components;
const pathOf = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route): Operation => openApi.paths[pathOf(route)]![route.method]!;
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method as Method,
    operation,
  })),
);
const parametersOf = ({ parameters }: Operation) =>
  parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter));

/** Every schema in the document, with the JSON pointer to it. */
function everySchema(): { place: string; schema: JsonSchema }[] {
  const found: { place: string; schema: JsonSchema }[] = [];
  const visit = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as JsonSchema;
    if ('type' in schema || 'enum' in schema || 'const' in schema || 'anyOf' in schema)
      found.push({ place, schema });
    for (const [name, inner] of Object.entries(schema))
      if (!['examples', 'example', 'enum'].includes(name)) visit(inner, place + pointerOf(name));
  };
  const { paths, webhooks } = openApi;
  visit({ components: { schemas }, paths, webhooks }, '');
  return found.filter(({ place }) => !/\/properties$/.test(place));
}

/**
 * A schema for comparison: components in place of references to them, without what only the
 * document says (texts, names, patterns of formats) and without what only Ajv reads (that an object
 * takes no other fields).
 */
function comparable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(comparable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, alternatives, ...own } = schema as JsonSchema;
  if (alternatives) return { oneOf: comparable(alternatives) };
  const whole = { ...schemas[String($ref).split('/').at(-1)!], ...own };
  const { description, examples, title, pattern, discriminator, properties, ...more } = whole;
  const { 'x-enum-varnames': _, additionalProperties, ...rest } = more;
  const kept = {
    ...rest,
    ...(additionalProperties ? { additionalProperties } : {}),
    ...(pattern && !formats[String(rest.format)] ? { pattern } : {}),
    ...(properties ? { properties: fieldsOf(properties as Record<string, unknown>) } : {}),
  };
  return Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [
      name,
      name === 'properties' ? value : comparable(value),
    ]),
  );
}

function fieldsOf(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, comparable(field)]),
  );
}

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
    const named = operations.map(({ method, path, operation }) => [
      `${method} ${path}`,
      operation.operationId,
    ]);
    expect(Object.fromEntries(named)).to.deep.equal(
      Object.fromEntries(
        routes.map((route) => [`${route.method} ${pathOf(route)}`, route.operationId]),
      ),
    );
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
      const body = operation.requestBody?.content['application/json'].schema ?? null;
      expect(asJson(body), place).to.deep.equal(asJson(route.body ?? null));
      const query = parametersOf(operation).filter((parameter) => parameter.in === 'query');
      const { properties = {}, required = [] } = (route.query ?? {}) as {
        properties?: Record<string, JsonSchema>;
        required?: string[];
      };
      expect(
        Object.fromEntries(query.map(({ name, schema }) => [name, asJson(schema)])),
        place,
      ).to.deep.equal(fieldsOf(JSON.parse(JSON.stringify(properties))));
      const needed = query.filter((parameter) => parameter.required).map(({ name }) => name);
      expect(needed, place).to.have.members(required);
      const inPath = parametersOf(operation).filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map(({ name }) => name),
        place,
      ).to.deep.equal([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
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
        ['viewer', 'viewer'],
      ])
        expect(description.includes(word!), `${operationId}: ${description}`).to.equal(
          roles.includes(role!),
        );
    }
  });

  it('describes every tag, parameter and field', () => {
    const fields = everySchema().flatMap(({ place, schema }) =>
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
      ...(operation.requestBody
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
    const webhooks = Object.keys(openApi.webhooks).map((type) =>
      pointerOf('webhooks', type, 'post', 'requestBody', 'content', 'application/json'),
    );
    for (const pointer of [...media, ...shared, ...webhooks]) {
      const { example } = at(pointer) as { example: unknown };
      const shown = `${pointer} ${JSON.stringify(example)}`;
      expect(problemsWith(example, `${pointer}/schema`), shown).to.deep.equal([]);
    }
    for (const { place, schema } of everySchema())
      for (const example of (schema.examples ?? []) as unknown[])
        expect(problemsWith(example, place), `${place} ${example}`).to.deep.equal([]);
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
    expect(() => openApiOf([one('a'), one('b')], '')).to.throw(
      'Two different schemas are titled Thing.',
    );
    expect(() => openApiOf([one('a'), { ...one('a'), path: '/b' }], '')).not.to.throw();
  });
});

describe('Clients generated from the OpenAPI document', () => {
  it('hold every amount in 64 bits', () => {
    const amounts = everySchema().filter(({ place }) => /_kobo(\/schema)?$/.test(place));
    expect(amounts.length).to.be.greaterThan(20);
    for (const { place, schema } of amounts) expect(schema.format, place).to.equal('int64');
  });

  it('have a name for each body, answer, enumeration and event, and one for every refusal', () => {
    for (const { operation } of operations) {
      const { requestBody, responses, operationId } = operation;
      if (requestBody)
        expect(Object.keys(requestBody.content['application/json'].schema)).to.deep.equal(['$ref']);
      for (const [status, answer] of Object.entries(responses)) {
        const { content } =
          '$ref' in answer ? openApi.components.responses[answer.$ref.split('/').at(-1)!]! : answer;
        const { $ref } = content!['application/json'].schema;
        expect($ref, `${operationId} ${status}`).to.match(/^#\/components\/schemas\/\w+$/);
        if (Number(status) >= 400) expect($ref).to.equal('#/components/schemas/Error');
      }
    }
    const enums = everySchema().filter(({ schema }) => schema.enum);
    for (const { place } of enums) expect(place).to.match(/^\/components\/schemas\/\w+$/);
    for (const { post } of Object.values(openApi.webhooks))
      expect(Object.keys(post.requestBody!.content['application/json'].schema)).to.deep.equal([
        '$ref',
      ]);
    for (const name of Object.keys(schemas)) expect(name).not.to.match(/^New/);
  });

  it('find a type at every constant, enumeration and null', () => {
    for (const { place, schema } of everySchema()) {
      if (schema.enum || 'const' in schema) expect(schema.type, place).to.equal('string');
      if (!schema.anyOf) continue;
      expect(schema.anyOf, place).to.have.length(2);
      const [named, none] = schema.anyOf as JsonSchema[];
      expect(Object.keys(named!), place).to.deep.equal(['$ref']);
      expect(none, place).to.deep.equal({ type: 'null' });
    }
  });

  it('find a pattern at every format of ours, which takes all that the format takes', () => {
    for (const { place, schema } of everySchema())
      if (formats[String(schema.format)]) expect(schema.pattern, place).to.be.a('string');
    const values = [
      '',
      'a',
      'a b',
      '\0',
      '\t',
      'é',
      '+234 803-123',
      '08031234567',
      'SV-1',
      'SV-0',
      '2026-01-31',
      '2026-01-31T09:00Z',
      '2026-01-31T09:00:00.123+01:00',
      'https://shop.example/a',
      'HTTPS://shop.example:8443',
      'https:shop.example',
      'http://localhost:3000',
      'https://[::1]',
      '__proto__',
      '\u0085',
    ];
    for (const [name, { isValid, pattern }] of Object.entries(formats))
      for (const value of values.filter(isValid))
        expect(new RegExp(pattern, 'u').test(value), `${name} ${value}`).to.equal(true);
  });

  it('find no object closed by a keyword, which some generators read as open', () => {
    for (const { place, schema } of everySchema())
      expect(schema.additionalProperties, place).not.to.equal(false);
    for (const { body } of routes) if (body) expect(body.additionalProperties).to.equal(false);
    expect(openApi.info.description).to.include('A request holds only the fields and parameters');
  });

  it('take fields that later versions add to an answer', () => {
    const answered = new Set<string>();
    const visit = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return;
      const name = String((value as JsonSchema).$ref).split('/schemas/')[1];
      if (name && !answered.has(name)) {
        answered.add(name);
        visit(schemas[name]);
      }
      Object.values(value).forEach(visit);
    };
    for (const { operation } of operations) visit(operation.responses);
    visit(openApi.components.responses);
    for (const name of answered)
      if (schemas[name]!.properties)
        expect(schemas[name]!.additionalProperties, name).to.equal(true);
    expect(answered.size).to.be.greaterThan(40);
  });
});

/** What stands at a JSON pointer into the document. */
function at(pointer: string): unknown {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce<unknown>((place, part) => (place as Record<string, unknown>)[part], openApi);
}

describe('GET /v1/openapi.json', () => {
  let stack: Stack;
  let origin: string;
  before(async () => {
    stack = await startStack();
    origin = new URL(stack.baseUrl).origin;
  });
  after(() => stack[Symbol.asyncDispose]());

  it('answers everybody, with the addresses of this deployment, and may be cached', async () => {
    for (const path of ['/v1/openapi.json', '/v1/v1/openapi.json']) {
      const { status, headers, json } = await rawRequest(origin, { path });
      expect(status).to.equal(200);
      expect(json).to.deep.equal(
        JSON.parse(JSON.stringify(openApi).replaceAll('http://localhost:4000', origin)),
      );
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      expect(headers.get('request-id')).to.match(/^req_/);
      expect(headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('has no other method', async () => {
    const { status, headers } = await stack.api.post('/openapi.json', {});
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('describes the webhooks as they are sent', async () => {
    const { reference } = await newCharge(stack);
    await stack.settle();
    await stack.control.pay(reference);
    await stack.settle();
    const delivery = stack.receiver.received.at(-1)!;
    const { parameters } = openApi.webhooks['charge.succeeded']!.post;
    for (const { name } of parameters as Parameter[])
      expect(delivery.headers[name.toLowerCase()], name).to.be.a('string');
    const place = pointerOf(
      'webhooks',
      'charge.succeeded',
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
    );
    expect(problemsWith(JSON.parse(delivery.body), place), delivery.body).to.deep.equal([]);
    expect(problemsWith({ ...JSON.parse(delivery.body), more: 1 }, place)).not.to.deep.equal([]);
  });
});
