import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import express, {
  type ErrorRequestHandler,
  type Request,
  type Response,
  type Router,
} from 'express';
import { markResent, recordArrival } from './counters.ts';
import { strikes } from './faults.ts';
import { payPage } from './pay-page.ts';
import type { Account } from './records.ts';
import type { Answer, Call, Endpoint, Provider, World } from './world.ts';

/** Everything a provider serves: its API and its hosted pages. */
export function providerDoor(world: World, provider: Provider): Router {
  const router = express.Router();
  router.use('/checkout', payPage(world, provider));
  router.use((request, response, next) =>
    provider.unreadableAddress?.test(request.url)
      ? reply(response, provider.refusals.unreadable)
      : next(),
  );
  router.use(express.json({ limit: '1mb' }));
  for (const endpoint of provider.endpoints) {
    router[endpoint.method](endpoint.path, (request, response) =>
      serve(world, provider, endpoint, request, response),
    );
  }
  router.use((_request, response) => reply(response, provider.refusals.unknownPath));
  router.use(refuseBroken(world, provider));
  return router;
}

/** One API call, in the order of a real door: the line is slow, the key is checked, the call is counted, and only then may it fail. */
async function serve(
  world: World,
  provider: Provider,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const faults = world.faults.of(provider.name);
  if (faults.latencyMs > 0) await pause(faults.latencyMs, undefined, { signal: world.closing });
  const account =
    (await provider.identify(world, request.headers, endpoint)) ?? provider.refusals.unknownKey;
  if ('status' in account) return reply(response, account);

  const call = toCall(account, request);
  const arrivalId = endpoint.counts && (await count(world, endpoint.counts, call));
  if (strikes(faults.rateLimitRate, world.random))
    return reply(response, provider.refusals.rateLimited);
  if (strikes(faults.errorRate, world.random)) return reply(response, provider.refusals.broken);

  const answer = await endpoint.handle(world, call);
  if (answer.duplicate && arrivalId !== undefined) await markResent(world.sql, arrivalId);
  if (answer.accepted && strikes(faults.timeoutAfterAcceptRate, world.random))
    return hold(world, response);
  if (answer.stream) return send(response, answer.status, answer.stream);
  reply(response, answer);
}

function toCall(account: Account, request: Request): Call {
  const body = request.body && !Array.isArray(request.body) ? request.body : {};
  return {
    account,
    headers: request.headers,
    params: request.params as Record<string, string>,
    query: request.query,
    body,
  };
}

function count(world: World, counts: NonNullable<Endpoint['counts']>, call: Call): Promise<number> {
  return recordArrival(world.sql, call.account, counts.as, counts.reference(call), world.now());
}

/** Never answers. The socket ends when the client has had enough, or with the sandbox. */
function hold(world: World, response: Response): void {
  world.held.add(response);
  response.on('close', () => world.held.delete(response));
}

async function send(
  response: Response,
  status: number,
  stream: AsyncIterable<string>,
): Promise<void> {
  response.status(status).type('json');
  await pipeline(Readable.from(stream), response);
}

function reply(response: Response, answer: Answer): void {
  response
    .status(answer.status)
    .set(answer.headers ?? {})
    .json(answer.body);
}

function refuseBroken(world: World, provider: Provider): ErrorRequestHandler {
  return (error, request, response, _next) => {
    if (response.headersSent || response.destroyed || world.closing.aborted)
      return void response.destroy();
    if (error.status === 413) return reply(response, provider.refusals.tooLarge);
    if (error.status >= 400 && error.status < 500)
      return reply(response, provider.refusals.unreadable);
    world.log('call failed', {
      provider: provider.name,
      method: request.method,
      path: request.path,
      error: String(error),
    });
    reply(response, provider.refusals.broken);
  };
}
