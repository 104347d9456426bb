import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher } from 'undici';
import { publicLookup } from '../../domain/shared/public-hosts.ts';
import { problemOfWebhookUrl } from '../../domain/webhooks/endpoint/address.ts';
import { createHostLookup, type Resolve } from './host-lookup.ts';

export interface PostResult {
  /** Null: no answer. */
  statusCode: number | null;
  error: string | null;
  /** The first 2 kB. */
  answer: string | null;
  retryAfter: string | null;
  durationMs: number;
}

/** Keeps connections alive, follows no redirect, reads no more of an answer than needed. */
export interface WebhookClient extends AsyncDisposable {
  /**
   * Every failure is in the result. The status decides, even where the answer breaks off later.
   * Throws only where the client is closed before a status.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
}

const MAX_ANSWER_BYTES = 2_048;
const MAX_ERROR_CHARS = 500;

const MAX_CACHED_URLS = 1_000;

/** `allowedHosts` may use plain http and private addresses; every other host must be public. */
export function createWebhookClient(
  allowedHosts: readonly string[],
  timeoutMs: number,
  resolve?: Resolve,
): WebhookClient {
  const names = createHostLookup(allowedHosts);
  const agent = new Agent({
    connect: { lookup: publicLookup(allowedHosts, resolve ?? names.resolve), timeout: timeoutMs },
    // A receiver that does not say how long it keeps a connection may close it just as we send.
    keepAliveTimeout: 4_000,
    pipelining: 1,
  });
  let isClosed = false;
  const targets = new LRUCache<string, Target>({
    max: MAX_CACHED_URLS,
    memoMethod: (url) => targetOf(url, allowedHosts),
  });
  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const target = targets.memo(url);
      const sending = {
        ...target,
        method: 'POST' as const,
        headers,
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const result =
        target.problem === undefined
          ? await exchange(agent, sending, timeoutMs)
          : failed(`the address ${target.problem}`);
      if (isClosed && result.statusCode === null) throw new Error('The service is stopping.');
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await agent.destroy();
      names[Symbol.dispose]();
    },
  };
}

type Target = { origin: string; path: string; problem?: string };

function targetOf(text: string, allowedHosts: readonly string[]): Target {
  const problem = problemOfWebhookUrl(text, allowedHosts);
  if (problem !== undefined) return { origin: '', path: '', problem };
  const { origin, pathname, search } = new URL(text);
  return { origin, path: pathname + search };
}

type Outcome = Omit<PostResult, 'durationMs'>;

/**
 * undici's bare dispatch: `request` makes a stream and signals for each answer, which doubles the
 * cost of a delivery. A short answer is read to its end, which keeps the connection.
 */
function exchange(
  agent: Agent,
  sending: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Pick<Outcome, 'statusCode' | 'retryAfter'> | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let cutBy: Error | undefined;
    // Once the status has arrived it decides. If the answer breaks off later, what was read counts.
    const end = (error?: Error) => {
      clearTimeout(timer);
      resolve(
        head ? { ...head, error: null, answer: textOf(chunks) } : failureOf(error, timeoutMs),
      );
    };
    const cut = (error: Error) => {
      cutBy = error;
      end(error);
      controller?.abort(error);
    };
    const timer = setTimeout(() => cut(new TimeoutError()), timeoutMs);
    agent.dispatch(sending, {
      onRequestStart(started) {
        controller = started;
        if (cutBy) controller.abort(cutBy); // it timed out while it waited for its connection
      },
      onResponseStart(_controller, statusCode, { 'retry-after': retryAfter }) {
        if (statusCode >= 200)
          head = { statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) cut(new Error('the answer is longer than what is recorded'));
      },
      onResponseEnd: () => end(),
      onResponseError: (_controller, error) => end(error),
    });
  });
}

class TimeoutError extends Error {
  override name = 'TimeoutError';
}

const textOf = (chunks: readonly Buffer[]) =>
  Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\ufffd');

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
  const isLate =
    name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
  const words = isLate
    ? `no answer within ${timeoutMs / 1000} s`
    : (plainWords[code] ?? (message || String(error)));
  return failed(words);
}

const failed = (words: string): Outcome => ({
  statusCode: null,
  error: words.slice(0, MAX_ERROR_CHARS).replaceAll('\0', '\ufffd'),
  answer: null,
  retryAfter: null,
});
