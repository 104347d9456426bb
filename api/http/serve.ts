import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import type { Standing } from '../../config/limit-account.ts';
import { hashBody } from '../../domain/accounts/idempotency/remembered.ts';
import type { ParsedCredential } from '../../domain/accounts/token/credentials.ts';
import { invalid, Problem } from '../../domain/shared/problems.ts';
import {
  type Caller,
  isUnauthorized,
  type Recognised,
  readBearer,
  requirePermission,
} from '../middleware/authenticate.ts';
import { limited, limitHeaders, takeFor } from '../middleware/limit.ts';
import { sendProblem, sendReply } from './reply.ts';
import type { AnyRoute, ApiRequest, IdempotencyHeader, Reply } from './route.ts';
import { input } from './schema.ts';
import { checkerOf, queryCheckerOf } from './validation.ts';

const parseJson = express.json({
  limit: '100kb',
  strict: false,
  type: () => true,
  verify: requireUtf8,
});

/** What takes no fields: an empty object, or nothing at all. */
const NOTHING = input([], {});

/** What all requests of a process share. */
export interface Door {
  context: Context;
  recognise: (credential: ParsedCredential) => Promise<Recognised>;
}

/**
 * Turns a route into a request handler. The order of checks: credential, rate limit, content type, body, idempotency key, work. A refusal is
 * told only to a caller whose credential is good at that moment; anyone else hears 401.
 */
export function serve(door: Door, route: AnyRoute): RequestHandler {
  const checkBody = route.method === 'get' ? undefined : checkerOf(route.body ?? NOTHING);
  const checkQuery = queryCheckerOf(route.query ?? NOTHING);
  return (request, response) =>
    answer(door, request, response, route, async (call) => {
      call.query = { ...request.query } as ApiRequest['query'];
      if (checkBody) call.body = await readBody(request, response);
      checkQuery(call.query);
      checkBody?.(call.body);
      if (route.idempotent) call.idempotency = readIdempotencyKey(request, call.body);
      return (route.handle as (call: ApiRequest) => Promise<Reply>)(call);
    });
}

/** Refuses every request for the same reason, once its credential is known to be good. */
export function refuse(door: Door, reason: () => unknown): RequestHandler {
  return (request, response) =>
    answer(door, request, response, undefined, () => Promise.reject(reason()));
}

type Work = (call: ApiRequest) => Promise<Reply>;

/** What is found out of a caller on the way, for the answer's headers. */
interface Told {
  /** Whose data it is, once the credential is known to be good. */
  tenantId?: string;
  standing?: Standing;
}

async function answer(
  door: Door,
  request: Request,
  response: Response,
  route: AnyRoute | undefined,
  work: Work,
): Promise<void> {
  const { context } = door;
  const told: Told = {};
  try {
    const reply =
      route?.may === 'anyone'
        ? await work(strangersCall(context, request, route))
        : await admit(door, request, route, work, told);
    response.locals.tenantId = told.tenantId;
    tellLimit(response, told);
    sendReply(response, reply, told.tenantId);
    if (reply.jobs) context.dispatcher.enqueue(reply.jobs);
  } catch (error) {
    tellLimit(response, told);
    sendProblem(context, request, response, error, told.tenantId);
  }
}

/** Counts the request, and does the work for a caller whose credential is good and who is within their limit. */
async function admit(
  { context, recognise }: Door,
  request: Request,
  route: AnyRoute | undefined,
  work: Work,
  told: Told,
): Promise<Reply> {
  const { credential, lookUp } = await recognise(readBearer(request.headers.authorization));
  const stranger = strangersCall(context, request, route);
  told.standing = await takeFor(context, credential, stranger.address);
  let found: Promise<Caller> | undefined;
  const whoCalls = async () => {
    found ??= lookUp();
    const who = await found;
    told.tenantId = who.tenantId;
    return who;
  };
  if (!told.standing.allowed) {
    await whoCalls();
    throw limited(told.standing);
  }
  const caller = async () => {
    const who = await whoCalls();
    if (route && route.may !== 'anyone') requirePermission(who, route.may, stranger.origin);
    return who;
  };
  const reply = await work({ ...stranger, credential, caller }).catch(async (error: unknown) => {
    if (!isUnauthorized(error)) await caller();
    throw error;
  });
  told.tenantId = reply.tenantId ?? (await caller()).tenantId;
  return reply;
}

/** A limit is told to those whose credential is good. */
function tellLimit(response: Response, { tenantId, standing }: Told): void {
  if (tenantId !== undefined && standing && !response.headersSent)
    response.set(limitHeaders(standing));
}

/** A request as far as it goes without a credential. */
function strangersCall(
  context: Context,
  request: Request,
  route: AnyRoute | undefined,
): ApiRequest {
  const params = request.params as Record<string, string>;
  return {
    context,
    route: `${request.method} ${route?.path.replace(/:(\w+)/g, (_, name) => inKey(params[name]))}`,
    credential: undefined,
    caller: async () => readBearer(undefined) as never,
    address: request.ip ?? '',
    origin: request.headers.origin,
    params,
    query: {},
    body: undefined,
    idempotency: undefined,
  };
}

/** A parameter as part of a key in the database, which takes neither NUL nor more than some kB. No id is half as long, so no two are mixed up. */
function inKey(param = ''): string {
  return encodeURIComponent(param).slice(0, 100);
}

/** Bytes that are no UTF-8 would be read as U+FFFD, and a name kept broken for ever. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('The body is not UTF-8.');
}

async function readBody(request: Request, response: Response): Promise<unknown> {
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
    parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  return request.body;
}

function readIdempotencyKey(request: Request, body: unknown): IdempotencyHeader | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,120}$/.test(key)) {
    throw invalid({ 'Idempotency-Key': 'must be 1 to 120 printable ASCII characters' });
  }
  return { key, bodySha256: hashBody(body) };
}
