import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { count, findAccount } from './accounts.ts';
import type { Answer, Endpoint, Provider, ReadRequest, SandboxContext } from './context.ts';
import { happens } from './faults.ts';
import { type Api, createRouter, readJson, sendJson } from './http.ts';
import { countCreate, ofReference, wasAskedFor } from './payments.ts';
import { advanceRefunds } from './refunds.ts';
import { beginScenario, scenarioAsked } from './scenarios.ts';
import { Refusal, toFields } from './wire.ts';

const LIMIT_BYTES = 1024 * 1024;

export function providerApi(context: SandboxContext, provider: Provider): Api {
  const find = createRouter(provider.endpoints);

  async function read(request: IncomingMessage, address: string): Promise<FoundRequest> {
    const { refusals, unreadableAddress } = provider;
    const body = isJson(request) ? await readJson(request, LIMIT_BYTES) : { value: undefined };
    if (body === 'too large') throw new Refusal(refusals.tooLarge);
    const found = find(request, address);
    if (body === 'unreadable' || found === 'unreadable' || unreadableAddress?.test(address))
      throw new Refusal(refusals.unreadable);
    if (!found) throw new Refusal(refusals.unknownPath);
    const { route: endpoint, ...rest } = found;
    const fields = Array.isArray(body.value) ? {} : toFields(body.value);
    return { endpoint, ...rest, headers: request.headers, body: fields };
  }

  return async (request, response, address) => {
    try {
      const answer = await serve(context, provider, await read(request, address));
      if (answer) return sendJson(response, answer.status, answer.body, answer.headers);
      context.unanswered.add(response);
      response.on('close', () => context.unanswered.delete(response));
    } catch (error) {
      if (response.headersSent || response.destroyed || context.closing.aborted)
        return void response.destroy();
      const { method, url: path } = request;
      const refused = error instanceof Refusal ? error.answer : provider.refusals.broken;
      if (!(error instanceof Refusal))
        context.log('call failed', { provider: provider.name, method, path, error: String(error) });
      sendJson(response, refused.status, refused.body, refused.headers);
    }
  };
}

interface FoundRequest extends ReadRequest {
  endpoint: Endpoint;
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');
}

/** Answers once the change is in the database; undefined: never. A refusal changes nothing. */
async function serve(
  context: SandboxContext,
  provider: Provider,
  { endpoint, ...read }: FoundRequest,
): Promise<Answer | undefined> {
  const { store, random, closing } = context;
  const { refusals, identify = byKey } = provider;
  const faults = context.faults[provider.name];
  if (faults.latencyMs > 0) await pause(faults.latencyMs, undefined, { signal: closing });
  const account = identify(context, read.headers, endpoint, provider);
  if (!account) throw new Refusal(refusals.unknownKey);
  const reference = endpoint.createsUnder?.(read.body);
  const scenario = reference === undefined ? undefined : scenarioAsked(read.body);
  const isFirst = scenario !== undefined && !wasAskedFor(store, reference!);
  if (endpoint.createsUnder) countCreate(context, account, reference);
  if (endpoint.isLook) count(context, account, 'verifies');
  if (happens(faults.rateLimitRate, random)) throw new Refusal(refusals.rateLimited);
  const isDown = isFirst && scenario === 'provider_down';
  if (isDown || happens(faults.errorRate, random)) throw new Refusal(refusals.broken);
  advanceRefunds(context);
  const answer = endpoint.handle(context, { ...read, account });
  if (scenario) beginScenario(context, ofReference(store, account, reference!)[0]!, scenario);
  context.sendDue();
  await store.saved();
  if (isFirst && scenario === 'paid_twice') throw new Refusal(refusals.broken);
  return answer.accepted && happens(faults.timeoutAfterAcceptRate, random) ? undefined : answer;
}

const byKey: NonNullable<Provider['identify']> = ({ store }, headers, _endpoint, { name }) => {
  const key = /^Bearer +([!-~]+)$/i.exec(headers.authorization ?? '')?.[1];
  return key === undefined ? undefined : findAccount(store, name, key);
};
