import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import type { Standing } from '../../config/limits/limit-window.ts';
import { hashBody } from '../../domain/accounts/idempotency/remembered.ts';
import type { ParsedCredential } from '../../domain/accounts/token/credentials.ts';
import { invalid, Problem } from '../../domain/shared/problems.ts';
import {
  type Caller,
  isUnauthorized,
  type KnownCredential,
  readBearer,
  requirePermission,
} from '../middleware/authenticate.ts';
import { limited, limitHeaders, takeFor } from '../middleware/limit.ts';
import type { Recognised } from '../middleware/recognise-credential.ts';
import { readImage } from './read-image.ts';
import { sendProblem, sendReply } from './reply.ts';
import {
  type ApiRequest,
  filledIn,
  type IdempotencyHeader,
  type Reply,
  type Route,
} from './route.ts';
import { query } from './schema.ts';
import { readTestScenario } from './test-scenario.ts';
import { holdUnverified } from './unverified-body.ts';
import { checkerOf, queryCheckerOf } from './validation.ts';

const parserOf = (limit: number) =>
  express.json({ limit, strict: false, type: () => true, verify: requireUtf8 });

const parseJson = parserOf(100 * 1024);

const NO_FIELDS = query({});

export interface RouteDeps {
  context: Context;
  recognise: (credential: ParsedCredential, address: string) => Promise<Recognised>;
}

/**
 * Checks in this order: credential, rate limit, content type, body, idempotency key. Only a caller
 * whose credential is valid at that moment sees a refusal's reason; others get 401.
 */
export function routeHandler(deps: RouteDeps, route: Route): RequestHandler {
  const check = checkOf(route);
  const parse = route.maxBodyBytes === undefined ? parseJson : parserOf(route.maxBodyBytes);
  return (request, response) =>
    respond(deps, request, response, route, async (call) => {
      call.query = { ...request.query };
      if (route.credential === 'none') holdUnverified(deps.context, request, response);
      if (route.maxBodyBytes !== undefined) await call.caller();
      if (route.method !== 'get')
        call.body = await (route.image
          ? readImage(request, response, route.image)
          : readBody(request, response, parse));
      check(call);
      if (route.takesTestScenario) call.testScenario = readTestScenario(request, call.credential);
      if (route.idempotent) call.idempotency = readIdempotencyKey(request, call);
      return route.handle(call);
    });
}

const checks = new WeakMap<Route, (call: ApiRequest) => void>();

/** Compiles a check that throws `validation_failed`, naming every field that does not fit. */
export function checkOf(route: Route): (call: ApiRequest) => void {
  const known = checks.get(route);
  if (known) return known;
  const checkQuery = queryCheckerOf(route.query ?? NO_FIELDS);
  const hasFields = route.method !== 'get' && !route.image;
  const checkBody = hasFields ? checkerOf(route.body ?? NO_FIELDS) : undefined;
  const check = (call: ApiRequest) => {
    checkQuery(call.query);
    checkBody?.(call.body);
  };
  checks.set(route, check);
  return check;
}

/**
 * Refuses only callers whose credential is known to be valid; others get 401. `route`: of the path,
 * where it takes no credential.
 */
export function refusalHandler(
  deps: RouteDeps,
  reason: () => unknown,
  route?: Route,
): RequestHandler {
  return (request, response) =>
    respond(deps, request, response, route, () => Promise.reject(reason()));
}

type Work = (call: ApiRequest) => Promise<Reply>;

interface FoundCaller {
  /** Set once the credential is known to be valid. */
  tenantId?: string;
  credential?: KnownCredential;
  standing?: Standing;
}

async function respond(
  deps: RouteDeps,
  request: Request,
  response: Response,
  route: Route | undefined,
  work: Work,
): Promise<void> {
  const { context } = deps;
  const found: FoundCaller = {};
  try {
    const reply =
      route?.credential === 'none'
        ? await work(anonymousCall(context, request, route))
        : await authenticated(deps, request, route, work, found);
    response.locals.tenantId = found.tenantId;
    response.locals.credential = found.credential;
    response.locals.created = reply.created;
    setLimitHeaders(response, found);
    sendReply(response, reply, found.tenantId);
  } catch (error) {
    response.locals.credential = found.credential;
    setLimitHeaders(response, found);
    sendProblem(context, request, response, error, found.tenantId);
  }
}

async function authenticated(
  { context, recognise }: RouteDeps,
  request: Request,
  route: Route | undefined,
  work: Work,
  found: FoundCaller,
): Promise<Reply> {
  const anonymous = anonymousCall(context, request, route);
  const bearer = readBearer(request.headers.authorization);
  const { credential, lookUp } = await recognise(bearer, anonymous.address);
  found.credential = credential;
  found.standing = await takeFor(context, credential, anonymous.address);
  let lookup: Promise<Caller> | undefined;
  const identify = async () => {
    lookup ??= lookUp();
    const who = await lookup;
    found.tenantId = who.tenantId;
    return who;
  };
  if (!found.standing.allowed) {
    await identify();
    throw limited(found.standing);
  }
  const caller = async () => {
    const who = await identify();
    if (route && route.credential !== 'none')
      requirePermission(who, route.credential, anonymous.origin);
    return who;
  };
  const reply = await work({ ...anonymous, credential, caller }).catch(async (error: unknown) => {
    if (!isUnauthorized(error)) await caller();
    throw error;
  });
  found.tenantId = reply.tenantId ?? (await caller()).tenantId;
  return reply;
}

/** Only callers with a valid credential see their limit. */
function setLimitHeaders(response: Response, { tenantId, standing }: FoundCaller): void {
  if (tenantId !== undefined && standing && !response.headersSent)
    response.set(limitHeaders(standing));
}

function anonymousCall(context: Context, request: Request, route: Route | undefined): ApiRequest {
  const params = request.params as Record<string, string>;
  return {
    context,
    route: `${request.method} ${route && filledIn(route.path, params)}`,
    credential: undefined,
    caller: async () => readBearer(undefined) as never,
    address: request.ip ?? '',
    origin: request.headers.origin,
    params,
    query: {},
    body: undefined,
    idempotency: undefined,
    testScenario: undefined,
  };
}

/** Express reads bytes that are not UTF-8 as U+FFFD: a name would be stored broken. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('The body is not UTF-8.');
}

async function readBody(
  request: Request,
  response: Response,
  parse: RequestHandler,
): Promise<unknown> {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  if (!request.is('application/json')) {
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  }
  await new Promise<void>((resolve, reject) =>
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  return request.body;
}

/** What a test scenario changes is part of the request: one key does not stand for two of them. */
function readIdempotencyKey(
  request: Request,
  { body, testScenario }: ApiRequest,
): IdempotencyHeader | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,120}$/.test(key)) {
    throw invalid({ 'Idempotency-Key': 'must be 1 to 120 printable ASCII characters' });
  }
  return { key, bodySha256: hashBody(testScenario ? { body, testScenario } : body) };
}
