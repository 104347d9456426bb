import { expect } from 'chai';
import { providerAgent } from '../../../domain/providers/adapter/http.ts';
import type { ProviderDefinition } from '../../../domain/providers/port/definition.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import type { Credentials } from '../../../domain/shared/credentials.ts';
import { dispatchTo } from '../../support/answer-calls.ts';
import type { Reply } from './calls.ts';

export interface AccountWithReplies {
  account: Provider;
  baseUrl: string;
  /** As `GET /path?query`. */
  requests: string[];
  bodies: string[];
}

export interface OpenOptions {
  credentials: Credentials;
  mode?: 'live' | 'test';
  uncounted?: Record<string, Reply>;
}

/** Opens an account whose calls get these replies in turn. One without a reply left fails. */
export function openWithReplies(
  { open }: ProviderDefinition,
  { credentials, mode = 'live', uncounted = {} }: OpenOptions,
  replies: Reply[],
): AccountWithReplies {
  const [left, requests, bodies]: [Reply[], string[], string[]] = [[...replies], [], []];
  const baseUrl = `https://account-${opened++}.invalid`;
  answerers.set(baseUrl, (method, path, body) => {
    if (uncounted[path]) return uncounted[path];
    requests.push(`${method} ${path}`);
    if (body) bodies.push(String(body));
    return left.shift() ?? expect.fail(`no reply left for ${method} ${path}`);
  });
  const clock = () => new Date('2026-03-04T09:20:00Z');
  return { account: open({ credentials, baseUrl, clock, mode }), baseUrl, requests, bodies };
}

let opened = 1;
const answerers = new Map<string, (method: string, path: string, body: unknown) => Reply>();

const dispatchReply = dispatchTo(async (url, { method, body }) => {
  const { origin, pathname, search } = new URL(url);
  const [status, reply] = answerers.get(origin)!(String(method), pathname + search, body);
  return new Response(typeof reply === 'string' ? reply : JSON.stringify(reply), { status });
});
const { dispatch } = providerAgent;
providerAgent.dispatch = (options, handler) =>
  answerers.has(String(options.origin))
    ? dispatchReply(options, handler)
    : dispatch.call(providerAgent, options, handler);
