import type { Static, TSchema } from 'typebox';
import type { Context } from '../../config/context.ts';
import type { Permission } from '../../domain/accounts/roles.ts';
import type { ProblemCode } from '../../domain/shared/problems.ts';
import type { Caller, KnownCredential } from '../middleware/authenticate.ts';
import type { JsonSchema } from './schema.ts';

/** An Idempotency-Key as it was sent, with the hash of the body. */
export interface IdempotencyHeader {
  key: string;
  bodySha256: string;
}

/** One request, checked and parsed, as a handler sees it. */
export interface ApiRequest<Body = unknown, Query = unknown> {
  context: Context;
  /** Method and path with the parameters filled in, e.g. `POST /refunds/ref_…/approve`. */
  route: string;
  /**
   * The credential as parsed. Whether it is valid is known once `caller` was awaited or the
   * handler's own statement checked it.
   */
  credential: KnownCredential | undefined;
  /**
   * Looks the credential up, once. Throws 401 when it is not valid now, 403 when it may not do
   * this.
   */
  caller: () => Promise<Caller>;
  /** The client's address, from `X-Forwarded-For` only as far as `TRUST_PROXY` allows. */
  address: string;
  origin: string | undefined;
  params: Record<string, string>;
  query: Query;
  body: Body;
  idempotency: IdempotencyHeader | undefined;
}

/** What a handler answers. One place sends it. */
export interface Reply<Body extends object = object> {
  status: number;
  /** An object to serialise, or the bytes to send. */
  body: Body | string;
  headers?: Record<string, string>;
  /** For handlers whose own statement identified the caller. */
  tenantId?: string;
  /** The row that it created, whose trace begins with the request. */
  created?: string;
}

/**
 * An endpoint as data: the router, the validator, the access rules and the API document read the
 * same record.
 */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
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
  /** Takes a picture as its body, which the handler sees as a Buffer. */
  image?: ImageBody;
  /** Successful answers: status → schema of the body. */
  answers: Record<number, JsonSchema>;
  /** Codes this endpoint may refuse with, beyond those that follow from the rest of the record. */
  refusals?: readonly ProblemCode[];
  /** True for POSTs that create something: they take an Idempotency-Key. */
  idempotent?: true;
  handle: (request: ApiRequest) => Promise<Reply>;
}

export interface ImageBody {
  types: readonly string[];
  maxBytes: number;
  /** What a refusal names. */
  field: string;
}

type Answers = Record<number, TSchema>;

/** A route whose handler is typed by its schemas. */
type TypedRoute<Body extends TSchema, Query extends TSchema, Answer extends Answers> = Omit<
  Route,
  'body' | 'query' | 'answers' | 'handle'
> & {
  body?: Body;
  query?: Query;
  answers: Answer;
  handle: (
    request: ApiRequest<Static<Body>, Static<Query>>,
  ) => Promise<Reply<Static<Answer[Extract<keyof Answer, number>]> & object>>;
};

/** Declares an endpoint. The types of its body, query and answers come from its schemas. */
export function route<Body extends TSchema, Query extends TSchema, Answer extends Answers>(
  definition: TypedRoute<Body, Query, Answer>,
): Route {
  return definition as unknown as Route;
}

/** What the declarations of endpoints that read, list or change have in common. */
export type Described = Pick<Route, 'path' | 'operationId' | 'summary' | 'refusals'> & {
  credential: Permission;
};

type ReadRoute<Answer extends TSchema> = Described & {
  answer: Answer;
  read: (context: Context, caller: Caller, id: string) => Promise<Static<Answer> & object>;
};

/** Declares an endpoint that reads the object in its path. */
export function readRoute<Answer extends TSchema>({
  answer,
  read,
  ...described
}: ReadRoute<Answer>): Route {
  return route({
    ...described,
    method: 'get',
    answers: { 200: answer },
    handle: async ({ context, caller, params }) => ({
      status: 200,
      body: await read(context, await caller(), idOf(params)),
    }),
  });
}

/** The parameter of a path. What cannot be an id becomes one that nobody has. */
export function idOf(params: Record<string, string>): string {
  const [param = ''] = Object.values(params);
  return /^[\w-]{1,40}$/.test(param) ? param : '-';
}

/** A route's path with its parameters. */
export function filledIn(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name) => boundedParam(params[name]));
}

/**
 * A path parameter as part of a key in the database, which takes neither NUL nor more than some kB.
 * No id is half as long, so no two keys become the same.
 */
function boundedParam(param = ''): string {
  return encodeURIComponent(param).slice(0, 100);
}
