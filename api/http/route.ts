import type { Static, TSchema } from 'typebox';
import type { Context } from '../../config/context.ts';
import type { Permission } from '../../domain/accounts/roles.ts';
import type { ProblemCode } from '../../domain/shared/problems.ts';
import type { TestScenario } from '../../domain/shared/test-scenarios.ts';
import type { Caller, KnownCredential } from '../middleware/authenticate.ts';
import type { JsonSchema } from './schema.ts';

/** `key` as it was sent, with the hash of the body. */
export type IdempotencyHeader = { key: string; bodySha256: string };

export interface ApiRequest<Body = unknown, Query = unknown> {
  context: Context;
  /** Method and path with parameters filled in, e.g. `POST /refunds/ref_…/approve`. */
  route: string;
  /** Known to be valid once `caller` was awaited or the handler's own statement checked it. */
  credential: KnownCredential | undefined;
  /** Throws 401 when the credential is not valid now, 403 when it may not do this. */
  caller: () => Promise<Caller>;
  /** Read from `X-Forwarded-For` only as far as `TRUST_PROXY` allows. */
  address: string;
  origin: string | undefined;
  params: Record<string, string>;
  query: Query;
  body: Body;
  idempotency: IdempotencyHeader | undefined;
  testScenario: TestScenario | undefined;
}

export interface Reply<Body extends object = object> {
  status: number;
  body: Body | string;
  headers?: Record<string, string>;
  /** For handlers whose own statement identified the caller. */
  tenantId?: string;
  /** Its trace begins with the request. */
  created?: string;
}

/** The router, the validator, the access rules and the API document read this one record. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/v1`. */
  path: string;
  /** Also names the method of generated clients. */
  operationId: string;
  summary: string;
  credential: Permission | 'none';
  query?: JsonSchema;
  /** Absent: it takes no fields. */
  body?: JsonSchema;
  /** By default 100 kB. A larger one is read only from callers who may do this. */
  maxBodyBytes?: number;
  /** The handler sees it as a Buffer. */
  image?: ImageBody;
  /** Schemas by status. */
  answers: Record<number, JsonSchema>;
  /** Codes beyond those that follow from the rest of the record. */
  refusals?: readonly ProblemCode[];
  /** POSTs that create something: they take an Idempotency-Key. */
  idempotent?: true;
  /** It takes a Test-Scenario. */
  takesTestScenario?: true;
  handle: (request: ApiRequest) => Promise<Reply>;
}

export interface ImageBody {
  types: readonly string[];
  maxBytes: number;
  /** What a refusal names. */
  field: string;
}

type Answers = Record<number, TSchema>;

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

/** The types of body, query and answers come from the schemas. */
export function route<Body extends TSchema, Query extends TSchema, Answer extends Answers>(
  definition: TypedRoute<Body, Query, Answer>,
): Route {
  return definition as unknown as Route;
}

export type Described = Pick<
  Route,
  'path' | 'operationId' | 'summary' | 'refusals' | 'maxBodyBytes'
> & {
  credential: Permission;
};

type ReadRoute<Answer extends TSchema> = Described & {
  answer: Answer;
  read: (context: Context, caller: Caller, id: string) => Promise<Static<Answer> & object>;
};

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

/** A text that cannot be an id becomes one that nobody has. */
export function idOf(params: Record<string, string>): string {
  const [param = ''] = Object.values(params);
  return /^[\w-]{1,40}$/.test(param) ? param : '-';
}

export function filledIn(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name) => boundedParam(params[name]));
}

/** The database takes neither NUL nor keys of more than some kB. No id is half as long. */
function boundedParam(param = ''): string {
  return encodeURIComponent(param).slice(0, 100);
}
