import { expect } from 'chai';
import type { AnyRoute } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { expectError } from '../support/contract.ts';
import { credentialFor, nameOf, pathOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('An endpoint that takes no fields', () => {
  let stack: Stack;
  let keyOf: (route: AnyRoute) => string | null;
  before(async () => {
    stack = await startStack({ workers: false });
    keyOf = await credentialFor(stack);
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  for (const route of routes.filter(({ method, body }) => method !== 'get' && !body)) {
    it(`refuses a body it cannot take, as the API reference says of ${nameOf(route)}`, async () => {
      const send = (raw: string, type = 'application/json') =>
        stack.api.send(
          route.method.toUpperCase(),
          pathOf(route, 'SV-1', stack.clock()),
          undefined,
          {
            key: keyOf(route),
            headers: { 'content-type': type },
            raw,
          },
        );
      await writingNothing(stack, async () => {
        expectError(await send('{'), 400, 'validation_failed', ['body']);
        expectError(await send('{}', 'text/plain'), 415, 'unsupported_media_type');
        expectError(
          await send(JSON.stringify({ more: 'x'.repeat(110_000) })),
          413,
          'payload_too_large',
        );
        expectError(await send('{"more":1}'), 422, 'validation_failed', ['more']);
        expect((await send('{}')).status).to.equal(404);
      });
    });
  }
});
