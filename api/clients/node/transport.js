import { setTimeout as sleep } from 'node:timers/promises';
import { version } from './deployment.js';
import { ApiError, ConnectionError } from './errors.js';

/** The limits of the service are per minute: whoever has to wait longer decides for themselves. */
const LONGEST_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** What a try may have done is not known. */
const uncertain = new Set([500, 502, 504]);
/** The service says that it did nothing. */
const undone = new Set([429, 503]);

/**
 * @typedef {object} Sent
 * @property {string} method
 * @property {URL} url
 * @property {Record<string, string>} headers
 * @property {string | Blob} [body]
 * @property {boolean} isRepeatable Sent twice, it does what it does once.
 *
 * @typedef {{ timeoutMs: number, retries: number, maxAnswerBytes: number, signal?: AbortSignal }} Limits
 */

/**
 * The answer's body. Tries again after a refusal for now, and, where that is safe, after an outcome
 * that is not known.
 * @param {Sent} request
 * @param {Limits} limits
 */
export async function send(request, limits) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(request, limits);
    } catch (error) {
      const waitMs = tries <= limits.retries ? waitAfter(error, tries, request) : undefined;
      if (waitMs === undefined) throw error;
      await sleep(waitMs, undefined, { signal: limits.signal });
    }
  }
}

/**
 * @param {Sent} request
 * @param {Limits} limits
 */
async function sendOnce({ method, url, headers, body }, { timeoutMs, maxAnswerBytes, signal }) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const request = new Request(url, {
    method,
    headers: { ...headers, 'User-Agent': `payment-collection-client/${version}` },
    body,
    // A key goes nowhere but where it was sent to.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  try {
    const response = await fetch(request);
    const text = await readText(response, maxAnswerBytes);
    return answerIn(response, text);
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) throw error;
    signal?.throwIfAborted();
    throw timeout.aborted
      ? new ConnectionError('timed_out', `No answer within ${timeoutMs} ms`, { cause: error })
      : new ConnectionError('connection_failed', `No answer of ${url.origin}`, { cause: error });
  }
}

function answerIn(response, text) {
  if (!response.ok) throw new ApiError(response, text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(response, text);
  }
}

async function readText(response, maxBytes) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new ConnectionError('answer_too_long', `The answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Undefined: never. */
function waitAfter(error, tries, { isRepeatable }) {
  const { status, code, retryAfterSeconds } = error;
  const isWorthIt = undone.has(status) || (isRepeatable && (uncertain.has(status) || isCut(code)));
  if (!isWorthIt) return undefined;
  const spread = Math.random();
  if (retryAfterSeconds === undefined)
    return Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + spread / 2);
  const waitMs = retryAfterSeconds * 1000;
  // Those who were refused together come back one after the other.
  return waitMs <= LONGEST_WAIT_MS ? waitMs + spread * FIRST_WAIT_MS : undefined;
}

const isCut = (code) => code === 'connection_failed' || code === 'timed_out';
