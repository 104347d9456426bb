import type { Context } from '../../config/context.ts';
import type { Permission } from '../../domain/accounts/roles.ts';
import type { Job } from '../../domain/jobs.ts';
import type { ProblemCode } from '../../domain/shared/problems.ts';
import type { Caller, KnownCredential } from '../middleware/authenticate.ts';

export type JsonSchema = Record<string, unknown>;

/** An Idempotency-Key as it was sent, with what the body hashes to. */
export interface IdempotencyHeader {
  key: string;
  bodySha256: string;
}

/** One request, checked and parsed, as a handler sees it. */
export interface ApiRequest<Body = unknown, Query = Record<string, string>> {
  context: Context;
  /** Method and path as the route table has them, e.g. `POST /refunds/:id/approve`. */
  route: string;
  /** The credential as parsed; whether it is good is known once `caller` was awaited or the handler's own statement said so. */
  credential: KnownCredential | undefined;
  /** Looks the credential up (once); throws 401 when it is not good now, 403 when it may not do this. */
  caller: () => Promise<Caller>;
  /** Where the request comes from, as far as `TRUST_PROXY` lets it be believed. */
  address: string;
  origin: string | undefined;
  params: Record<string, string>;
  query: Query;
  body: Body;
  idempotency: IdempotencyHeader | undefined;
}

/** What a handler answers. One place commits it to the wire. */
export interface Reply {
  status: number;
  /** An object to serialise, or the very bytes to send. */
  body: object | string;
  headers?: Record<string, string>;
  /** For handlers whose own statement identified the caller. */
  tenantId?: string;
  /** Rung after the reply is written. */
  jobs?: Job[];
}

/** An endpoint as data: the router, the validator, the access rules and the API reference read the same thing. */
export interface Route<Body = never, Query = never> {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/v1`. */
  path: string;
  /** Names the endpoint in the API document, and the method of generated clients. */
  operationId: string;
  summary: string;
  /** What the credential must permit; `none`: no credential is needed. */
  credential: Permission | 'none';
  query?: JsonSchema;
  /** Absent: it takes no fields. */
  body?: JsonSchema;
  /** Successful answers: status → schema of the body. */
  answers: Record<number, JsonSchema>;
  /** Codes this endpoint may refuse with, beyond those that follow from the rest of this description. */
  refusals?: readonly ProblemCode[];
  /** True for POSTs that create something: they take an Idempotency-Key. */
  idempotent?: true;
  handle: (request: ApiRequest<Body, Query>) => Promise<Reply>;
}

/** Routes of any body and query, as the router holds them. */
export type AnyRoute = Route<never, never>;
