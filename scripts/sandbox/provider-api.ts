import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { count, countCreate, findAccount } from './accounts.ts';
import type { Answer, Endpoint, Provider, ReadRequest, SandboxContext } from './context.ts';
import { happens } from './faults.ts';
import { type Api, createRouter, readJson, sendJson } from './http.ts';
import type { Account } from './records.ts';
import { advanceRefunds } from './refunds.ts';

const LIMIT_BYTES = 1024 * 1024;

export function providerApi(context: SandboxContext, provider: Provider): Api {
  const find = createRouter(provider.endpoints);

  async function read(request: IncomingMessage, address: string): Promise<FoundRequest | Answer> {
    const { refusals, unreadableAddress } = provider;
    const body = isJson(request) ? await readJson(request, LIMIT_BYTES) : { value: undefined };
    if (body === 'too large') return refusals.tooLarge;
    if (body === 'unreadable' || unreadableAddress?.test(address)) return refusals.unreadable;
    const found = find(request, address);
    if (found === 'unreadable') return refusals.unreadable;
    if (!found) return refusals.unknownPath;
    const { route: endpoint, ...rest } = found;
    return { endpoint, ...rest, headers: request.headers, body: toFields(body.value) };
  }

  return async (request, response, address) => {
    try {
      const found = await read(request, address);
      const answer = 'status' in found ? found : await serve(context, provider, found);
      if (answer) return sendJson(response, answer.status, answer.body, answer.headers);
      context.unanswered.add(response);
      response.on('close', () => context.unanswered.delete(response));
    } catch (error) {
      if (response.headersSent || response.destroyed || context.closing.aborted)
        return void response.destroy();
      const { method, url: path } = request;
      context.log('call failed', { provider: provider.name, method, path, error: String(error) });
      sendJson(response, provider.refusals.broken.status, provider.refusals.broken.body);
    }
  };
}

interface FoundRequest extends ReadRequest {
  endpoint: Endpoint;
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
}

function toFields(body: unknown): Record<string, unknown> {
  return body && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
}

/** Answers once the change is in the database; undefined: never. */
async function serve(
  context: SandboxContext,
  provider: Provider,
  { endpoint, ...read }: FoundRequest,
): Promise<Answer | undefined> {
  const { store, random, closing } = context;
  const { refusals } = provider;
  const faults = context.faults.of(provider.name);
  if (faults.latencyMs > 0) await pause(faults.latencyMs, undefined, { signal: closing });
  const account =
    provider.identify?.(context, read.headers, endpoint) ?? byKey(context, provider, read);
  if (!account) return refusals.unknownKey;
  if ('status' in account) return account;
  const { as, reference } = endpoint.counts ?? {};
  if (as === 'create') countCreate(context, account, reference?.(read));
  if (as === 'verify') count(context, account, 'verifies');

  if (happens(faults.rateLimitRate, random)) return refusals.rateLimited;
  if (happens(faults.errorRate, random)) return refusals.broken;
  advanceRefunds(context);
  const answer = endpoint.handle(context, { ...read, account });
  context.sendDue();
  await store.saved();
  return answer.accepted && happens(faults.timeoutAfterAcceptRate, random) ? undefined : answer;
}

function byKey(
  { store }: SandboxContext,
  { name }: Provider,
  { headers: { authorization = '' } }: ReadRequest,
): Account | undefined {
  const key = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  return key === undefined ? undefined : findAccount(store, name, key);
}
