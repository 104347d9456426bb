import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import type { AnyRoute, JsonSchema } from '../../../api/http/route.ts';
import { input, object, string } from '../../../api/http/schema.ts';
import { openApiOf } from '../../../api/openapi/document.ts';
import { tags } from '../../../api/openapi/tags.ts';
import type {
  Answer,
  Method,
  Operation,
  Parameter,
  Reference,
} from '../../../api/openapi/types.ts';
import { routes } from '../../../api/routes.ts';
import { permissions } from '../../../domain/accounts/roles.ts';
import { NIL_TENANT_ID } from '../../../domain/shared/ids.ts';
import { statusOf } from '../../../domain/shared/problems.ts';
import { newCharge } from '../../support/charges.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const pathOf = (route: AnyRoute) => route.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: AnyRoute): Operation => openApi.paths[pathOf(route)]![route.method]!;
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method as Method,
    operation,
  })),
);
const parametersOf = ({ parameters }: Operation) =>
  parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter));
const named = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path}`;

/** A schema of the document as a route has it: components in place of references to them, without the words. */
function asWritten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asWritten);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as Partial<Reference>;
  const whole = $ref ? { ...openApi.components.schemas[$ref.split('/').at(-1)!], ...rest } : rest;
  return Object.fromEntries(
    Object.entries(whole)
      .filter(
        ([name, value]) =>
          !(name === 'description' && typeof value === 'string') &&
          !(name === 'examples' && Array.isArray(value)),
      )
      .map(([name, value]) => [name, asWritten(value)]),
  );
}

/** What the conversion may not lose, by way of JSON. */
const plain = (schema: unknown) => asWritten(JSON.parse(JSON.stringify(schema)));

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1, by a judge who did not write it', async () => {
    const validator = new Validator();
    const verdict = await validator.validate(structuredClone(openApi) as never);
    expect(verdict.errors ?? [], JSON.stringify(verdict.errors, null, 2)).to.deep.equal([]);
    expect([verdict.valid, validator.version]).to.deep.equal([true, '3.1']);
  });

  it('refers to nothing that is not there, and holds no component nobody refers to', () => {
    const referred = new Set(
      [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(
        ([, place]) => place,
      ),
    );
    const { securitySchemes, responses, ...kinds } = openApi.components;
    const present = Object.entries(kinds).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `${kind}/${name}`),
    );
    const answers = Object.keys(responses).map((name) => `responses/${name}`);
    expect(
      [...referred].filter((place) => ![...present, ...answers].includes(place!)),
    ).to.deep.equal([]);
    expect(present.filter((place) => !referred.has(place))).to.deep.equal([]);
  });

  it('has every endpoint, once, and no other', () => {
    expect(operations.map(named).sort()).to.deep.equal(
      routes.map((route) => named({ method: route.method, path: pathOf(route) })).sort(),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const id of ids) expect(id).to.match(/^[a-z]+[A-Za-z0-9]+$/);
  });

  for (const route of routes) {
    it(`says of ${named(route)} what the route says, with every limit and format`, () => {
      const operation = operationOf(route);
      expect(operation.summary).to.equal(route.summary);
      for (const [status, schema] of Object.entries(route.answers)) {
        const answer = operation.responses[status] as Required<Answer>;
        expect(plain(answer.content['application/json'].schema), status).to.deep.equal(
          plain(schema),
        );
      }
      expect(
        plain(operation.requestBody?.content['application/json'].schema ?? null),
      ).to.deep.equal(plain(route.body ?? null));
      const query = parametersOf(operation).filter((parameter) => parameter.in === 'query');
      const { properties = {}, required = [] } = (route.query ?? {}) as {
        properties?: Record<string, JsonSchema>;
        required?: string[];
      };
      expect(
        Object.fromEntries(query.map(({ name, schema }) => [name, plain(schema)])),
      ).to.deep.equal(plain(properties));
      expect(
        query.filter((parameter) => parameter.required).map(({ name }) => name),
      ).to.have.members(required);
      const inPath = parametersOf(operation).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).to.deep.equal(
        [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name),
      );
      expect(JSON.stringify(operation.parameters).includes('IdempotencyKey')).to.equal(
        route.idempotent === true,
      );
    });

    it(`says who may call ${named(route)}, and whoever may not is not named`, () => {
      const { security, description } = operationOf(route);
      const roles: readonly string[] =
        route.credential === 'none' ? [] : permissions[route.credential];
      const schemes = [
        ...(roles.includes('secret') ? ['secretKey'] : []),
        ...(roles.includes('public') ? ['publicKey'] : []),
        ...(roles.includes('owner') ? ['userToken'] : []),
      ];
      expect(security).to.deep.equal(schemes.map((scheme) => ({ [scheme]: [] })));
      for (const [role, word] of [
        ['secret', 'secret key'],
        ['public', 'public key'],
        ['developer', 'developer'],
        ['viewer', 'viewer'],
      ]) {
        expect(description.includes(word!), `${word}: ${description}`).to.equal(
          roles.includes(role!),
        );
      }
    });
  }

  it('describes every tag, parameter and field', () => {
    const unexplained: string[] = [];
    const visit = (schema: JsonSchema, place: string) => {
      for (const [name, property] of Object.entries(
        (schema.properties ?? {}) as Record<string, JsonSchema>,
      )) {
        if (!property.description) unexplained.push(`${place}.${name}`);
        visit(property, `${place}.${name}`);
      }
      for (const inner of [schema.items, ...((schema.anyOf as unknown[]) ?? [])])
        if (inner) visit(inner as JsonSchema, place);
    };
    for (const [name, schema] of Object.entries(openApi.components.schemas)) visit(schema, name);
    for (const { operation } of operations) {
      const body = operation.requestBody?.content['application/json'].schema;
      if (body) visit(body, operation.operationId);
      for (const { name, description } of parametersOf(operation)) {
        if (!description || description === `The ${name}.`)
          unexplained.push(`${operation.operationId}.${name}`);
      }
      for (const tag of operation.tags) if (!tags[tag]) unexplained.push(`the tag ${tag}`);
    }
    expect([...new Set(unexplained)]).to.deep.equal([]);
  });

  it('gives examples that its own schemas accept', () => {
    const media = operations.flatMap(({ path, method, operation }) => [
      ...(operation.requestBody
        ? [pointerOf('paths', path, method, 'requestBody', 'content', 'application/json')]
        : []),
      ...Object.entries(operation.responses).flatMap(([status, answer]) =>
        '$ref' in answer || Number(status) >= 400
          ? []
          : [pointerOf('paths', path, method, 'responses', status, 'content', 'application/json')],
      ),
    ]);
    const webhooks = Object.keys(openApi.webhooks).map((type) =>
      pointerOf('webhooks', type, 'post', 'requestBody', 'content', 'application/json'),
    );
    for (const pointer of [...media, ...webhooks]) {
      const { example } = at(pointer) as { example: unknown };
      expect(
        problemsWith(example, `${pointer}/schema`),
        `${pointer} ${JSON.stringify(example)}`,
      ).to.deep.equal([]);
    }
    for (const { operation } of operations) {
      for (const { name, schema } of parametersOf(operation)) {
        expect(
          schema.examples ?? schema.default ?? schema.enum ?? schema.pattern,
          `${operation.operationId}.${name}`,
        ).not.to.equal(null);
      }
    }
  });

  it('has one Error, whose codes are all there are', () => {
    const { error } = openApi.components.schemas.Error!.properties as Record<
      string,
      { properties: Record<string, { enum: string[] }> }
    >;
    expect(error!.properties.code!.enum).to.deep.equal(Object.keys(statusOf));
    const place = '/components/schemas/Error';
    expect(problemsWith({ error: { code: 'not_found', message: 'No.' } }, place)).to.deep.equal([]);
    expect(
      problemsWith(
        { error: { code: 'validation_failed', message: 'No.', fields: { a: 'is wrong' } } },
        place,
      ),
    ).to.deep.equal([]);
    for (const wrong of [
      { error: { code: 'validation_failed', message: 'No.' } },
      { error: { code: 'teapot', message: 'No.' } },
      { error: { code: 'not_found', message: '' } },
      { error: { code: 'not_found' } },
      { error: { code: 'not_found', message: 'No.', stack: '…' } },
      { code: 'not_found', message: 'No.' },
    ]) {
      expect(problemsWith(wrong, place), JSON.stringify(wrong)).not.to.deep.equal([]);
    }
  });

  it('allows each refusal only the codes that have its status', () => {
    expect(
      problemsWith(
        { error: { code: 'not_found', message: 'No.' } },
        pointerOf('components', 'responses', 'NotFound', 'content', 'application/json', 'schema'),
      ),
    ).to.deep.equal([]);
    expect(
      problemsWith(
        { error: { code: 'forbidden', message: 'No.' } },
        pointerOf('components', 'responses', 'NotFound', 'content', 'application/json', 'schema'),
      ),
    ).not.to.deep.equal([]);
  });

  it('refuses to be made of two different objects with one title', () => {
    const one = (properties: Record<string, JsonSchema>): AnyRoute => ({
      method: 'get',
      path: `/${Object.keys(properties)[0]}`,
      operationId: 'getOne',
      summary: 'One',
      credential: 'read',
      answers: { 200: object('Thing', properties) },
      handle: async () => ({ status: 200, body: {} }),
    });
    expect(() => openApiOf([one({ a: string }), one({ b: string })], '')).to.throw(
      'Two different objects are titled Thing.',
    );
    expect(() =>
      openApiOf(
        [one({ a: string }), { ...one({ a: string }), path: '/b', query: input([], {}) }],
        '',
      ),
    ).not.to.throw();
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

  it('tells everybody, with the addresses of this deployment, and may be kept for five minutes', async () => {
    for (const path of ['/v1/openapi.json', '/v1/v1/openapi.json']) {
      const { status, headers, json } = await rawRequest(origin, { path });
      expect(status).to.equal(200);
      expect(json).to.deep.equal({
        ...openApi,
        servers: [{ url: stack.baseUrl, description: 'This deployment.' }],
      });
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
