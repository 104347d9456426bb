import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { isDatabaseAway, isTooLong } from '../../config/database/database-away.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { shownPath } from '../middleware/request.ts';
import type { Reply } from './route.ts';

/** `tenantId`: whose data it is, where that is known. */
export function sendReply(response: Response, reply: Reply, tenantId: string | undefined): void {
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  const bytes = Buffer.from(text);
  response.locals.answer = reply.body;
  response.status(reply.status);
  if (tenantId) response.set('X-Service-Tenant', tenantId);
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...reply.headers,
  });
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

export function sendProblem(
  context: Context,
  request: Request,
  response: Response,
  error: unknown,
  tenantId?: string,
): void {
  response.locals.tenantId = tenantId;
  const problem = logProblem(context, request, response, error);
  if (response.headersSent) return void response.destroy();
  sendReply(response, replyOf(problem), tenantId);
}

/** An unexpected error is logged with its stack, and the caller sees a general message. */
export function logProblem({ log }: Context, request: Request, response: Response, error: unknown) {
  const { problem, unexpected } = problemOf(error, request.method);
  response.locals.outcome = problem.code;
  if (unexpected)
    log.error('request failed', {
      request_id: response.locals.requestId,
      path: shownPath(request.originalUrl),
      error: (error as Error).stack,
    });
  return problem;
}

/** Follows what failed here: programs repeat a request, people a form, which has its own key. */
const REPEAT = ' If you send the same Idempotency-Key, nothing is done twice.';

/** Spec section "Errors". */
export function replyOf(problem: Problem): Reply {
  const { code, fields, status, headers } = problem;
  const message = status < 500 ? problem.message : problem.message + REPEAT;
  return {
    status,
    headers,
    body: { error: fields ? { code, message, fields } : { code, message } },
  };
}

function problemOf(error: unknown, method: string): { problem: Problem; unexpected: boolean } {
  if (error instanceof Problem) return { problem: error, unexpected: false };
  const parsed = bodyProblem(error);
  if (parsed) return { problem: parsed, unexpected: false };
  if (isDatabaseAway(error)) {
    const message = isTooLong(error) ? tooLong(method) : AWAY;
    return {
      problem: new Problem('unavailable', message, { headers: { 'Retry-After': '5' } }),
      unexpected: true,
    };
  }
  const problem = new Problem('server_error', 'Something failed on our side.');
  return { problem, unexpected: true };
}

const AWAY = 'The service cannot reach its database. Try again shortly.';

function tooLong(method: string): string {
  const answer = 'The database needed too long for this. Try again shortly';
  return method === 'GET'
    ? `${answer}; of a list, ask for fewer days or use more filters.`
    : `${answer}.`;
}

/** Known by class or `type`. Any other error of the body parser means unreadable JSON. */
function bodyProblem(error: unknown): Problem | undefined {
  if (error instanceof URIError)
    return new Problem('not_found', 'There is nothing at this address.');
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: number };
  if (type === 'entity.too.large')
    return new Problem('payload_too_large', `The body is larger than ${sizeOf(limit ?? 0)}.`);
  if (type === 'parameters.too.many')
    return new Problem('payload_too_large', 'The form has too many fields.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new Problem('unsupported_media_type', 'Send the body as plain JSON in UTF-8.');
  }
  if (status !== 400 && type !== 'entity.verify.failed') return undefined;
  return new Problem('validation_failed', 'The body is not readable JSON.', {
    status: 400,
    fields: { body: 'is not readable JSON' },
  });
}

function sizeOf(bytes: number): string {
  return bytes < 1_048_576 ? `${bytes / 1_024} kB` : `${bytes / 1_048_576} MB`;
}
