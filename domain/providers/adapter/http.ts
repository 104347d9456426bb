import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { Agent, type Dispatcher, FormData, request as send } from 'undici';
import type { CallOptions } from '../port/provider.ts';
import { ProviderError } from '../port/provider-error.ts';
import { parseObject } from './read.ts';

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

export interface ProviderRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  /** A buffer and a form are sent as they are. */
  body?: unknown;
  /** Absent: the provider's own. */
  dispatcher?: Dispatcher;
  signal?: AbortSignal;
  stage: string;
}

export interface Deadline extends CallOptions {
  signal: AbortSignal;
}

export function deadlineOf(options: CallOptions): Deadline {
  const { timeoutMs, totalMs = timeoutMs } = options;
  return { ...options, signal: AbortSignal.timeout(totalMs) };
}

export interface ProviderAnswer {
  stage: string;
  status: number;
  json: Record<string, unknown>;
  raw: string;
  retryAfterMs: number | null;
}

/** Redirects are not followed. `retryable`: it surely never arrived; `unknown`: it may have. */
export function callProvider(request: ProviderRequest): Promise<ProviderAnswer> {
  return exchange(request, (response) => readAnswer(response, request.stage));
}

export async function exchange<Answer>(
  request: ProviderRequest,
  read: (response: ProviderResponse) => Promise<Answer>,
): Promise<Answer> {
  const { method, url, headers, body, timeoutMs, stage, signal } = request;
  const { dispatcher = providerAgent } = request;
  await request.spend?.(stage);
  const timeOut = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(url, {
      dispatcher,
      method,
      headers: { ...ALWAYS, ...headers },
      body: bodyOf(body),
      signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
    });
    const { statusCode: status } = response;
    return await read({ status, headers: response.headers, body: unzipped(response) });
  } catch (error) {
    const kind = neverArrived(error) ? 'retryable' : 'unknown';
    throw new ProviderError(kind, stage, describe(error, request), { cause: error });
  }
}

function bodyOf(body: unknown): Buffer | FormData | string | null {
  if (body === undefined) return null;
  return Buffer.isBuffer(body) || body instanceof FormData ? body : JSON.stringify(body);
}

export const providerAgent = new Agent();

const ALWAYS = { 'user-agent': 'Payment-Collection-Service/1', 'accept-encoding': 'gzip' };

/** Whoever stops reading closes its connection. */
export interface ProviderResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** Some servers call an answer without a body compressed. One that breaks off is no whole JSON. */
const ENDS_ANYWHERE = { finishFlush: constants.Z_SYNC_FLUSH };

function unzipped({ headers, body }: Dispatcher.ResponseData): Readable {
  const isZipped = /^(x-)?gzip$/i.test(String(headers['content-encoding']));
  return isZipped ? pipeline(body, createGunzip(ENDS_ANYWHERE), () => {}) : body;
}

export async function readAnswer(
  response: ProviderResponse,
  stage: string,
): Promise<ProviderAnswer> {
  const { status } = response;
  let raw = '';
  for await (const text of textOf(response, MAX_ANSWER_BYTES)) raw += text;
  return { stage, status, json: parseObject(raw), raw, retryAfterMs: retryAfterOf(response) };
}

export async function* textOf({ body }: ProviderResponse, maxBytes: number) {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

const MAX_RETRY_AFTER_S = 3_600;

/** Paystack sends `x-ratelimit-reset`. A stated time has more than nine digits. */
function retryAfterOf({ headers }: ProviderResponse): number | null {
  const waits = [headers['retry-after'], headers['x-ratelimit-reset']];
  const seconds = waits.map(String).find((value) => /^\d{1,9}$/.test(value));
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}

const CONNECT_ERRORS = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A connection that was made may lose its route too: then the provider may have the request. */
function neverArrived(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return CONNECT_ERRORS.has(String(code)) && syscall !== 'read' && syscall !== 'write';
}

function describe(error: unknown, { timeoutMs, totalMs = timeoutMs, signal }: ProviderRequest) {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `no answer within ${signal?.aborted ? totalMs : timeoutMs} ms`;
  return error instanceof Error ? error.message : String(error);
}
