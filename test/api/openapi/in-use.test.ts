import { expect } from 'chai';
import type { Route } from '../../../api/http/route.ts';
import type { Parameter } from '../../../api/openapi/types.ts';
import { routes } from '../../../api/routes.ts';
import { NIL_TENANT_ID } from '../../../domain/shared/ids.ts';
import { newCharge } from '../../support/charges.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { credentialFor, pathOf } from '../../support/route-calls.ts';
import { useStack } from '../../support/stack.ts';

const operationOf = ({ path, method }: Route) =>
  openApi.paths[path.replace(/:(\w+)/g, '{$1}')]![method]!;

function queryOf(route: Route): [name: string, value: string][] {
  const { parameters } = operationOf(route);
  return parameters
    .filter((parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query')
    .flatMap(({ name, schema }) =>
      ((schema.examples ?? []) as unknown[]).map((value): [string, string] => [
        name,
        String(value),
      ]),
    );
}

describe('The OpenAPI document in use', () => {
  const stack = useStack({ workers: false });
  let keyOf: (route: Route) => string | null;
  before(async () => {
    keyOf = await credentialFor(stack);
  });

  const send = (route: Route, search: string, body?: unknown) =>
    stack.api.send(
      route.method.toUpperCase(),
      `${pathOf(route, 'SV-100001', stack.clock())}${search}`,
      body,
      { key: keyOf(route) },
    );

  it('is served at /v1/openapi.json to everybody, with the addresses of this deployment, and may be cached', async () => {
    for (const path of ['/v1/openapi.json', '/v1/v1/openapi.json']) {
      const { status, headers, json } = await rawRequest(stack, { path });
      expect(status).to.equal(200);
      expect(json).to.deep.equal(
        JSON.parse(JSON.stringify(openApi).replaceAll('http://localhost:4000', stack.origin)),
      );
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      expect(headers.get('request-id')).to.match(/^req_/);
      expect(headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('describes the webhooks as they are sent', async () => {
    const { reference } = await newCharge(stack);
    await using _workers = stack.startWorkers();
    await stack.settle();
    await stack.control.pay(reference);
    await stack.settle();
    const delivery = stack.receiver.received.at(-1)!;
    const { parameters } = openApi['x-webhooks']['charge.succeeded']!.post;
    for (const { name } of parameters as Parameter[])
      expect(delivery.headers[name.toLowerCase()], name).to.be.a('string');
    const body = ['requestBody', 'content', 'application/json', 'schema'];
    const place = pointerOf('x-webhooks', 'charge.succeeded', 'post', ...body);
    expect(problemsWith(JSON.parse(delivery.body), place), delivery.body).to.deep.equal([]);
    expect(problemsWith({ ...JSON.parse(delivery.body), more: 1 }, place)).not.to.deep.equal([]);
  });

  it('has examples of bodies that are accepted by the API', async () => {
    const fitting = ['accepted', 'not_found', 'invalid_state', 'unauthorized'];
    for (const route of routes.filter(({ body }) => body)) {
      const { example } = operationOf(route).requestBody!.content['application/json']!;
      const { status, json, text } = await send(route, '', example);
      // The sandbox has no account with the example's credentials, and the example's time grows old.
      const { credentials = '', since = '' } = json.error?.fields ?? {};
      const isRead = /are refused/.test(credentials) || /more than 60 days ago/.test(since);
      const code = isRead ? 'accepted' : (json.error?.code ?? 'accepted');
      expect(code, `${route.operationId} ${status} ${text}`).to.be.oneOf(fitting);
    }
  });

  it('has examples of queries that are accepted by the API, each alone and all together', async () => {
    for (const route of routes.filter(({ query }) => query)) {
      const pairs = queryOf(route);
      for (const query of [...pairs.map((pair) => [pair]), pairs]) {
        const search = `?${new URLSearchParams(query)}`;
        const { status, text } = await send(route, search);
        expect(status, `${route.operationId}${search} ${text}`).to.be.oneOf([200, 404]);
      }
    }
  });

  it('has links of an unpaid charge that work', async () => {
    const created = await stack.api.post('/charges', {
      amount_kobo: 250_000,
      email: 'ada@example.com',
    });
    const { links } = openApi.paths['/charges']!.post!.responses['201'] as {
      links: Record<string, { $ref: string }>;
    };
    expect(Object.keys(links)).to.include.members(['getCharge', 'getTransaction', 'listRefunds']);
    for (const { $ref } of Object.values(links)) {
      const { operationId, parameters } = openApi.components.links[$ref.split('/').at(-1)!]!;
      const route = routes.find((one) => one.operationId === operationId)!;
      const [[name, from]] = Object.entries(parameters) as [[string, string]];
      const value = created.json[from.replace('$response.body#/', '')];
      const path = route.path.includes(`:${name}`)
        ? route.path.replace(`:${name}`, value)
        : `${route.path}?${name}=${value}`;
      const body = route.method === 'post' ? {} : undefined;
      const { status, text } = await stack.api.send(route.method.toUpperCase(), path, body);
      expect(status, `${operationId} ${text}`).to.equal(200);
    }
  });

  it('has links with parameters that their operations have', () => {
    for (const [name, { operationId, parameters }] of Object.entries(openApi.components.links)) {
      const route = routes.find((one) => one.operationId === operationId)!;
      const query = Object.keys((route.query?.properties as object) ?? {});
      const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!);
      for (const parameter of Object.keys(parameters))
        expect([...query, ...inPath], name).to.include(parameter);
    }
  });
});
