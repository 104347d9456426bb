import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress, problemOfWebhookUrl } from '../domain/webhook/address.ts';

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
  /** Never throws: whatever goes wrong is in the result. The status decides; an answer that breaks off after it changes nothing. */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
}

const KEPT_ANSWER_BYTES = 2_048;
const KEPT_ERROR_CHARS = 500;

/** `allowedHosts` may be called by plain http and on addresses of their own; everything else must be public. */
export function createWebhookClient(allowedHosts: readonly string[], timeoutMs: number, resolve: typeof lookup = lookup): WebhookClient {
  const agent = new Agent({
    connect: { lookup: publicLookup(allowedHosts, resolve), timeout: timeoutMs },
    keepAliveTimeout: 30_000,
    pipelining: 1,
  });
  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const problem = problemOfWebhookUrl(url, allowedHosts);
      const sent =
        problem === undefined ? send(agent, url, { headers, body, timeoutMs }) : Promise.reject(new Error(`the address ${problem}`));
      const result = await sent.catch((error: unknown) => failureOf(error, timeoutMs));
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

type Outcome = Omit<PostResult, 'durationMs'>;

async function send(
  agent: Agent,
  url: string,
  sending: { headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<Outcome> {
  const { headers, body, timeoutMs } = sending;
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
  const answer = await readStart(response.body);
  const retryAfter = response.headers['retry-after'];
  return { statusCode: response.statusCode, error: null, answer, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
}

/** Resolves a name and hands on only public addresses: the one checked is the one connected to, whatever the name answers next time. */
export function publicLookup(allowedHosts: readonly string[], resolve: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const usable = allowedHosts.includes(hostname) ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) return callback(new Error(`${hostname} resolves to no public address`), '', 0);
      if (options.all) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}

/**
 * The beginning of an answer. A short one is read to its end, which keeps the connection; a longer one is cut off with its connection,
 * and so is one that trickles on past the time-out.
 */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > KEPT_ANSWER_BYTES) break; // leaving the loop destroys the stream
    }
  } catch {
    // The status has come, and it decides: what was read until the answer broke off is what there is.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
}

/** The most common failures in words for the merchant, who sees them on the deliveries page. Others speak for themselves. */
const plainWords: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved just now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is not complete',
};

function failureOf(error: unknown, timeoutMs: number): Outcome {
  const { name, code = '', message } = error as Error & { code?: string };
  const isLate = name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
  const words = isLate ? `no answer within ${timeoutMs / 1000} s` : (plainWords[code] ?? (message || String(error)));
  return { statusCode: null, error: words.slice(0, KEPT_ERROR_CHARS), answer: null, retryAfter: null };
}
