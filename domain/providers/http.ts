import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { Agent, type Dispatcher, request as send } from 'undici';
import type { CallOptions } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { isObject } from './read.ts';

/** A longer body is not a provider's answer. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

export interface ProviderRequest extends CallOptions {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The time-out of the whole question; see `deadlineOf`. */
  signal?: AbortSignal;
  /** For errors: which call this is. */
  stage: string;
}

/** A question whose time has begun. */
export interface Deadline extends CallOptions {
  /** Aborted when the time for all calls is over. */
  signal: AbortSignal;
}

/** Begins the time of a question that may take several calls. */
export function deadlineOf(options: CallOptions): Deadline {
  const { timeoutMs, totalMs = timeoutMs } = options;
  return { ...options, signal: AbortSignal.timeout(totalMs) };
}

export interface ProviderAnswer {
  status: number;
  /** The parsed JSON object; `{}` when the body is not one. */
  json: Record<string, unknown>;
  raw: string;
  /** What a `Retry-After` or `x-ratelimit-reset` in seconds says; null without one. */
  retryAfterMs: number | null;
}

/**
 * Calls a provider and returns any answer it gives, whatever its status. Redirects are not
 * followed. Throws `retryable` when the request surely never arrived, `unknown` when it may have:
 * time-out, broken connection, answer too long.
 */
export function callProvider(request: ProviderRequest): Promise<ProviderAnswer> {
  return exchange(request, readAnswer);
}

/**
 * The same with a reader of the caller's. An error of `read` is `unknown`; the time-out covers it
 * too. Every call to a provider goes through here, and is counted here.
 */
export async function exchange<Answer>(
  request: ProviderRequest,
  read: (response: ProviderResponse) => Promise<Answer>,
): Promise<Answer> {
  const { method, url, headers, body, timeoutMs, stage, signal } = request;
  await request.spend?.(stage);
  const timeOut = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(url, {
      dispatcher: providerAgent,
      method,
      headers: { ...ALWAYS, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
    });
    return await read({
      status: response.statusCode,
      headers: response.headers,
      body: unzipped(response),
    });
  } catch (error) {
    throw new ProviderError(
      neverArrived(error) ? 'retryable' : 'unknown',
      stage,
      describe(error, request),
      { cause: error },
    );
  }
}

/** The connections to providers, which are kept alive. */
export const providerAgent = new Agent();

/** What every request says besides. */
const ALWAYS = { 'user-agent': 'Payment-Collection-Service/1', 'accept-encoding': 'gzip' };

/** An answer whose body is not read yet. Whoever stops reading closes its connection. */
export interface ProviderResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/**
 * Some servers say of an answer without a body that it is compressed. Where it ends is no mistake
 * then: one that breaks off is no whole JSON.
 */
const ENDS_ANYWHERE = { finishFlush: constants.Z_SYNC_FLUSH };

function unzipped({ headers, body }: Dispatcher.ResponseData): Readable {
  const isZipped = /^(x-)?gzip$/i.test(String(headers['content-encoding']));
  return isZipped ? pipeline(body, createGunzip(ENDS_ANYWHERE), () => {}) : body;
}

/** Reads an answer of ordinary length. */
export async function readAnswer(response: ProviderResponse): Promise<ProviderAnswer> {
  const raw = await readBounded(response);
  return {
    status: response.status,
    json: parseObject(raw),
    raw,
    retryAfterMs: retryAfterOf(response),
  };
}

async function readBounded({ body }: ProviderResponse): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES)
      throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A longer wait is cut to this. */
const MAX_RETRY_AFTER_S = 3_600;

/**
 * Paystack sends `x-ratelimit-reset` in place of `Retry-After`. A server that states a time in it
 * needs more than nine digits.
 */
function retryAfterOf({ headers }: ProviderResponse): number | null {
  const waits = [headers['retry-after'], headers['x-ratelimit-reset']];
  const seconds = waits.map(String).find((value) => /^\d{1,9}$/.test(value));
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}

function parseObject(raw: string): Record<string, unknown> {
  try {
    const value: unknown = MAY_LOSE_DIGITS.test(raw)
      ? JSON.parse(raw, keepDigits)
      : JSON.parse(raw);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A number with decimals or many digits. Answers without one are parsed three times as fast. */
const MAY_LOSE_DIGITS = /(?:"\s*:|[[,])\s*-?(?:\d+\.|\d{16})/;

/**
 * A number that a JavaScript number does not hold exactly stays a string of its digits: ids have 64
 * bits and amounts have decimals, so two payments could look like one and a kobo could be lost.
 */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+(\.\d+)?$/.test(source)
    ? source
    : value;
}

/** Errors of the network, and of looking a name up. */
const CONNECT_ERRORS = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * True for errors before a byte of the request was sent. A connection that was made may lose its
 * route as well: after a read or write the provider may have the request.
 */
function neverArrived(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return CONNECT_ERRORS.has(String(code)) && syscall !== 'read' && syscall !== 'write';
}

function describe(
  error: unknown,
  { timeoutMs, totalMs = timeoutMs, signal }: ProviderRequest,
): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `no answer within ${signal?.aborted ? totalMs : timeoutMs} ms`;
  return error instanceof Error ? error.message : String(error);
}
