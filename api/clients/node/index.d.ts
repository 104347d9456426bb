import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as api from './api.d.ts';

export type * from './api.d.ts';

export interface PaymentsOptions {
  /**
   * A secret key (`svc_sk_…`) or the access token of a member (`hat_…`). Null: for `payments.auth`
   * only.
   */
  key: string | null;
  /** Default: the deployment that this package came from. A `/v1` at its end may be left out. */
  baseUrl?: string;
  /** For each try, until its answer is read. Default: 30,000. */
  timeoutMs?: number;
  /** How often a request is tried again. Default: 4. */
  retries?: number;
  /** The longest answer that is read. Default: 16 MiB. */
  maxAnswerBytes?: number;
}

export interface RequestOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  headers?: Record<string, string>;
}

export interface IdempotentRequestOptions extends RequestOptions {
  /** Default: a random one for each call, the same for each try of it. */
  idempotencyKey?: string;
}

/** The API of one business in one mode. It may be shared by everything in a process. */
export declare class Payments {
  constructor(options: PaymentsOptions);
}

export interface Payments extends api.Resources {
  events: api.Resources['events'] & EventReader;
}

/** Reads nothing until it is asked: `for await` reads page after page, to the end. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** One page: the first, or the one after `cursor` of the query. */
  page(): Promise<Page>;
  pages(): AsyncIterable<Page>;
}

export interface EventReader {
  /**
   * Every event, oldest first, and then those that come, until `signal` is aborted. Waits out
   * restarts and lost networks. The cursor is saved once an event's turn of the loop has ended
   * without an error: after a crash, its event comes again.
   */
  follow(options?: FollowOptions): AsyncGenerator<api.Event, void, undefined>;
}

export interface FollowOptions {
  /** Where the cursor is kept. Default: nowhere, so that it ends with the loop. */
  store?: CursorStore;
  /** Where a reader begins whose store is empty. Default: `beginning`. */
  from?: 'beginning' | 'now';
  /** How often to ask while there are no new events. Default: 1,000. */
  pollMs?: number;
  signal?: AbortSignal;
  /** Told of each failure that is waited out. */
  onRetry?: (error: PaymentsError) => void;
}

export interface CursorStore {
  load(): Promise<string | undefined>;
  save(cursor: string): Promise<void>;
}

/** A store in a file, which is replaced as a whole. For one reader at a time. */
export declare function cursorFile(path: string): CursorStore;

/** What everything that this package throws by itself is, but for a TypeError of a wrong call. */
export declare class PaymentsError extends Error {
  readonly code: string;
}

/** The service refused the request, or failed. */
export declare class ApiError extends PaymentsError {
  /** `unexpected_answer`: not in the service's form, as a proxy's page. */
  readonly code: api.ErrorCode | 'unexpected_answer';
  readonly status: number;
  /** What is wrong with which field. */
  readonly fields: Record<string, string>;
  /** The body: its problem, or the text that came instead. */
  readonly body: api.Error | string;
  /** Names the request: quote it when you ask for support. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** No whole answer came. What was asked may have been done. Its cause is in `cause`. */
export declare class ConnectionError extends PaymentsError {
  readonly code: 'connection_failed' | 'timed_out' | 'answer_too_long';
}

/** This is no webhook of the service, or an old one: answer 400. */
export declare class SignatureError extends PaymentsError {
  readonly code: 'signature_missing' | 'signature_too_old' | 'signature_wrong' | 'body_too_long';
}

/** The secret of an endpoint. Several while one is rotated. */
export type WebhookSecret = string | readonly string[];

export interface VerifyOptions {
  /** How far a signature's time may be from now. Default: 300. */
  toleranceSeconds?: number;
  now?: Date;
}

/**
 * The event of a webhook. `body` is what came, byte for byte: JSON that was parsed and written
 * again does not fit its signature. Throws a SignatureError.
 */
export declare function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: WebhookSecret,
  options?: VerifyOptions,
): api.Event;

/** The headers with which the service would send this body: for tests of your receiver. */
export declare function signWebhook(
  body: string,
  secret: WebhookSecret,
  options?: { now?: Date },
): Record<string, string>;

export interface WebhookOptions extends VerifyOptions {
  /** The longest body that is kept and verified. Default: 1 MiB. */
  maxBytes?: number;
  /** Told why an answer was 400 or 500. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

export type OnEvent = (event: api.Event) => void | Promise<void>;

/**
 * For `node:http`, Express and Next's `pages/api`: answers 200 once `onEvent` has ended, 400 to
 * what is no webhook, and 500 if `onEvent` fails, so that the event is sent again.
 */
export declare function webhookListener(
  secret: WebhookSecret,
  onEvent: OnEvent,
  options?: WebhookOptions,
): (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => Promise<void>;

/** The same for what takes a Request and returns a Response, as Next's route handlers. */
export declare function webhookRoute(
  secret: WebhookSecret,
  onEvent: OnEvent,
  options?: WebhookOptions,
): (request: Request) => Promise<Response>;
