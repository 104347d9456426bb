import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Endpoint, Provider, ReadRequest, SandboxContext } from './context.ts';
import { markResent } from './counters.ts';
import { happens } from './faults.ts';
import { type Api, readJson, sendJson } from './http.ts';
import { createRouter, type FindRoute, splitAddress } from './routing.ts';

const limitBytes = 1024 * 1024;

/** A provider's API. */
export function providerApi(context: SandboxContext, provider: Provider): Api {
  const find = createRouter(provider.endpoints);
  return async (request, response, address) => {
    try {
      const read = await readRequest(provider, find, request, address);
      if ('status' in read) reply(response, read);
      else await serve(context, provider, read, response);
    } catch (error) {
      refuseBroken(context, provider, request, response, error);
    }
  };
}

interface FoundRequest extends ReadRequest {
  endpoint: Endpoint;
}

async function readRequest(
  { unreadableAddress, refusals }: Provider,
  find: FindRoute<Endpoint>,
  request: IncomingMessage,
  address: string,
): Promise<FoundRequest | Answer> {
  if (unreadableAddress?.test(address)) return refusals.unreadable;
  const body = isJson(request) ? await readJson(request, limitBytes) : { value: undefined };
  if (body === 'too large') return refusals.tooLarge;
  if (body === 'unreadable') return refusals.unreadable;
  const { path, query } = splitAddress(address);
  const found = find(request, path);
  if (found === 'unreadable') return refusals.unreadable;
  if (!found) return refusals.unknownPath;
  return {
    endpoint: found.route,
    headers: request.headers,
    params: found.params,
    query: parseQuery(query),
    body: toFields(body.value),
  };
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
}

function toFields(body: unknown): Record<string, unknown> {
  return body && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
}

/** One API call: wait for the latency, check the key and count the call, then let it fail. */
async function serve(
  context: SandboxContext,
  provider: Provider,
  { endpoint, ...read }: FoundRequest,
  response: ServerResponse,
): Promise<void> {
  const faults = context.faults.of(provider.name);
  if (faults.latencyMs > 0) await pause(faults.latencyMs, undefined, { signal: context.closing });
  const arrival = endpoint.counts && {
    kind: endpoint.counts.as,
    reference: endpoint.counts.reference(read),
  };
  const caller =
    (await provider.identify(context, read.headers, endpoint, arrival)) ??
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

/** Never answers. The socket ends when the client has had enough, or with the sandbox. */
function leaveUnanswered(context: SandboxContext, response: ServerResponse): void {
  context.unanswered.add(response);
  response.on('close', () => context.unanswered.delete(response));
}

async function send(
  response: ServerResponse,
  status: number,
  stream: AsyncIterable<string>,
): Promise<void> {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  await pipeline(Readable.from(stream), response);
}

function reply(response: ServerResponse, { status, body, headers }: Answer): void {
  sendJson(response, status, body, headers);
}

function refuseBroken(
  context: SandboxContext,
  provider: Provider,
  { method, url }: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  if (response.headersSent || response.destroyed || context.closing.aborted)
    return void response.destroy();
  context.log('call failed', {
    provider: provider.name,
    method,
    path: url,
    error: String(error),
  });
  reply(response, provider.refusals.broken);
}
