import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress, literalAddress } from '../domain/webhook/address.ts';

/** What one POST to a merchant's endpoint came to. */
export interface PostResult {
  /** Null: no answer. */
  statusCode: number | null;
  error: string | null;
  /** The first 2 kB of the answer. */
  answer: string | null;
  retryAfter: string | null;
  durationMs: number;
}

/** Posts webhooks. Connections are kept alive; redirects are not followed; an answer is read no further than needed. */
export interface WebhookClient extends AsyncDisposable {
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
}

const KEPT_ANSWER_BYTES = 2_048;

/** `allowedHosts` may be called by plain http and on addresses of their own; everything else must be public. */
export function createWebhookClient(allowedHosts: readonly string[], timeoutMs: number): WebhookClient {
  const agent = new Agent({
    connect: { lookup: publicLookup(allowedHosts), timeout: timeoutMs },
    keepAliveTimeout: 30_000,
    pipelining: 1,
  });
  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const result = await send(agent, new URL(url), { headers, body, allowedHosts, timeoutMs }).catch((error: unknown) =>
        failureOf(error, timeoutMs),
      );
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

interface Sending {
  headers: Record<string, string>;
  body: string;
  allowedHosts: readonly string[];
  timeoutMs: number;
}

async function send(agent: Agent, url: URL, { headers, body, allowedHosts, timeoutMs }: Sending): Promise<Omit<PostResult, 'durationMs'>> {
  refuseUnsafe(url, allowedHosts);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
  const answer = await readStart(response.body);
  const retryAfter = response.headers['retry-after'];
  return { statusCode: response.statusCode, error: null, answer, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
}

/** A literal address never reaches the resolver, so it is judged here. */
function refuseUnsafe(url: URL, allowedHosts: readonly string[]): void {
  if (allowedHosts.includes(url.hostname)) return;
  if (url.protocol !== 'https:') throw new Error('the address is not https');
  const literal = literalAddress(url.hostname);
  if (literal !== undefined && !isPublicAddress(literal)) throw new Error('the address is not public');
}

/** Resolves a name and hands on only public addresses: the one checked is the one connected to, whatever the name answers next time. */
function publicLookup(allowedHosts: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const usable = allowedHosts.includes(hostname) ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) return callback(new Error(`${hostname} resolves to no public address`), '', 0);
      if (options.all) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}

/** Reads what is kept and lets the rest go unread, unless it is short enough to keep the connection. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > KEPT_ANSWER_BYTES) {
      body.destroy();
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
}

function failureOf(error: unknown, timeoutMs: number): Omit<PostResult, 'durationMs'> {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const message = isLate ? `no answer within ${timeoutMs / 1000} s` : (error as Error).message || String(error);
  return { statusCode: null, error: message.slice(0, 500), answer: null, retryAfter: null };
}
