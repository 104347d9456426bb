import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../config/context.ts';
import { hashBody } from '../domain/idempotency/remembered.ts';
import { invalid, Problem } from '../domain/problems.ts';
import { authenticate, type Caller, readBearer } from './middleware/authenticate.ts';
import { sendProblem, sendReply } from './reply.ts';
import type { AnyRoute, ApiRequest, IdempotencyHeader, Reply } from './route.ts';
import { checkerOf } from './validation.ts';

const parseJson = express.json({ limit: '100kb', strict: false, type: () => true, verify: requireUtf8 });

/**
 * Turns a route into a request handler. The order of checks: credential, content type, body, idempotency key, work. A refusal is told
 * only to a caller whose credential is good at that moment; anyone else hears 401.
 */
export function serve(context: Context, route: AnyRoute): RequestHandler {
  const checkBody = route.body && checkerOf(route.body);
  const checkQuery = checkerOf(route.query ?? { type: 'object', additionalProperties: false });
  return (request, response) =>
    answer(context, request, response, async (call) => {
      call.query = { ...request.query } as ApiRequest['query'];
      if (checkBody) call.body = await readBody(request, response);
      checkQuery(call.query);
      checkBody?.(call.body);
      if (route.idempotent) call.idempotency = readIdempotencyKey(request, call.body);
      return (route.handle as (call: ApiRequest) => Promise<Reply>)(call);
    });
}

/** Refuses every request for the same reason, once its credential is known to be good. */
export function refuse(context: Context, reason: () => unknown): RequestHandler {
  return (request, response) => answer(context, request, response, () => Promise.reject(reason()));
}

async function answer(context: Context, request: Request, response: Response, work: (call: ApiRequest) => Promise<Reply>): Promise<void> {
  let caller: Promise<Caller> | undefined;
  let tenantId: string | undefined;
  try {
    const key = readBearer(request.headers.authorization);
    const whoCalls = () => {
      caller ??= authenticate(context, key);
      return caller;
    };
    if (key.kind !== 'secret') await whoCalls();
    const params = request.params as Record<string, string>;
    const call: ApiRequest = { context, key, caller: whoCalls, params, query: {}, body: undefined, idempotency: undefined };
    const reply = await work(call).catch(async (error: unknown) => {
      if (!(error instanceof Problem && error.code === 'unauthorized')) tenantId = (await whoCalls()).tenantId;
      throw error;
    });
    tenantId = reply.tenantId ?? (await whoCalls()).tenantId;
    response.locals.tenantId = tenantId;
    sendReply(response, reply, tenantId);
    if (reply.jobs) context.bell.ring(reply.jobs);
  } catch (error) {
    sendProblem(context, request, response, error, tenantId);
  }
}

/** Bytes that are no UTF-8 would be read as U+FFFD, and a name kept broken for ever. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('The body is not UTF-8.');
}

async function readBody(request: Request, response: Response): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  if (!request.is('application/json')) {
    throw new Problem('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  }
  await new Promise<void>((resolve, reject) => parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve())));
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
