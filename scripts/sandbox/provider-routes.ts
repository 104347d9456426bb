import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import express, {
  type ErrorRequestHandler,
  type Request,
  type Response,
  type Router,
} from 'express';
import type { Answer, Endpoint, Provider, ReadRequest, SandboxContext } from './context.ts';
import { markResent } from './counters.ts';
import { happens } from './faults.ts';
import { payPage } from './pay-page.ts';

/** Everything a provider serves: its API and its hosted pages. */
export function providerRoutes(context: SandboxContext, provider: Provider): Router {
  const router = express.Router();
  router.use('/checkout', payPage(context, provider));
  router.use((request, response, next) =>
    provider.unreadableAddress?.test(request.url)
      ? reply(response, provider.refusals.unreadable)
      : next(),
  );
  router.use(express.json({ limit: '1mb' }));
  for (const endpoint of provider.endpoints) {
    router[endpoint.method](endpoint.path, (request, response) =>
      serve(context, provider, endpoint, request, response),
    );
  }
  router.use((_request, response) => reply(response, provider.refusals.unknownPath));
  router.use(refuseBroken(context, provider));
  return router;
}

/** One API call: wait for the latency, check the key and count the call, then let it fail. */
async function serve(
  context: SandboxContext,
  provider: Provider,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const faults = context.faults.of(provider.name);
  if (faults.latencyMs > 0) await pause(faults.latencyMs, undefined, { signal: context.closing });
  const read = readRequest(request);
  const arrival = endpoint.counts && {
    kind: endpoint.counts.as,
    reference: endpoint.counts.reference(read),
  };
  const caller =
    (await provider.identify(context, request.headers, endpoint, arrival)) ??
    provider.refusals.unknownKey;
  if ('status' in caller) return reply(response, caller);

  if (happens(faults.rateLimitRate, context.random))
    return reply(response, provider.refusals.rateLimited);
  if (happens(faults.errorRate, context.random)) return reply(response, provider.refusals.broken);

  const answer = await endpoint.handle(context, {
    ...read,
    account: caller,
    verified: caller.verified,
  });
  if (answer.duplicate && caller.arrivalId) await markResent(context.sql, caller.arrivalId);
  if (answer.accepted && happens(faults.timeoutAfterAcceptRate, context.random))
    return leaveUnanswered(context, response);
  if (answer.stream) return send(response, answer.status, answer.stream);
  reply(response, answer);
}

function readRequest(request: Request): ReadRequest {
  const body = request.body && !Array.isArray(request.body) ? request.body : {};
  return {
    headers: request.headers,
    params: request.params as Record<string, string>,
    query: request.query,
    body,
  };
}

/** Never answers. The socket ends when the client has had enough, or with the sandbox. */
function leaveUnanswered(context: SandboxContext, response: Response): void {
  context.unanswered.add(response);
  response.on('close', () => context.unanswered.delete(response));
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

function refuseBroken(context: SandboxContext, provider: Provider): ErrorRequestHandler {
  return (error, request, response, _next) => {
    if (response.headersSent || response.destroyed || context.closing.aborted)
      return void response.destroy();
    if (error.status === 413) return reply(response, provider.refusals.tooLarge);
    if (error.status >= 400 && error.status < 500)
      return reply(response, provider.refusals.unreadable);
    context.log('call failed', {
      provider: provider.name,
      method: request.method,
      path: request.path,
      error: String(error),
    });
    reply(response, provider.refusals.broken);
  };
}
