import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';
import { NIL_TENANT_ID, newId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { redacted, shortened, withoutSecrets } from './redact.ts';
import { routeOf } from './route-of.ts';

/** Others are counted together: whoever asks could make a figure of any name. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Asked every few seconds by whoever watches the process. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Gives the request an id, sets the headers of every answer, and logs one wide line at its end,
 * also to the tenant's request log. Probes that succeed are on level debug.
 */
export function logRequest({
  log,
  clock,
  requestLog,
  metrics,
  tracing,
  env,
}: Pick<Context, 'log' | 'clock' | 'requestLog' | 'metrics' | 'tracing' | 'env'>): RequestHandler {
  return (request, response, next) => {
    const at = clock();
    const requestId = newId('req', at);
    const startedMs = performance.now();
    response.locals.requestId = requestId;
    response.set({
      'Request-Id': requestId,
      'X-Service-Tenant': NIL_TENANT_ID,
      'X-Content-Type-Options': 'nosniff',
    });
    response.on('close', () => {
      const durationMs = performance.now() - startedMs;
      const path = shownPath(request.originalUrl);
      const { tenantId, credential, outcome } = response.locals;
      const method = knownMethods.has(request.method) ? request.method : 'other';
      const route = routeOf(request, env.basePath);
      const status = response.writableFinished
        ? `${Math.floor(response.statusCode / 100)}xx`
        : 'aborted';
      metrics.recordRequest({ route, method, status, durationMs });
      tracing.recordRequest({
        ...{ requestId, created: response.locals.created, durationMs },
        name: `${method} ${route}`,
        failed: status === '5xx',
        attributes: { status: response.statusCode, outcome, tenant_id: tenantId },
      });
      if (tenantId && credential)
        requestLog.add({
          id: requestId,
          tenant_id: tenantId,
          mode: credential.mode,
          at,
          method: request.method,
          path: path ?? '',
          status: response.statusCode,
          duration_ms: Math.round(durationMs),
          credential_id: credential.subjectId,
          error: outcome ?? null,
          ...contentsOf(request, response),
        });
      const level = probes.has(route) && status === '2xx' ? 'debug' : 'info';
      log[level]('request', {
        request_id: requestId,
        method: request.method,
        path,
        status: response.statusCode,
        outcome: response.writableFinished ? (outcome ?? 'ok') : 'aborted',
        reason: response.locals.reason,
        operator: response.locals.operator,
        tenant_id: tenantId,
        connection_id: response.locals.connectionId,
        notification_id: response.locals.notificationId,
        duration_ms: Math.round(durationMs * 10) / 10,
      });
    });
    tracing.inRequest(requestId, next);
  };
}

function contentsOf({ method, body }: Request, { statusCode, locals: { answer } }: Response) {
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  return { body: isJson ? redacted(body) : null, answer: answerOf(method, statusCode, answer) };
}

/** A refusal is in our own words. What was read can be read again: it is not worth its bytes. */
function answerOf(method: string, status: number, answer: unknown): string | null {
  if (answer === undefined || (method === 'GET' && status < 400)) return null;
  if (status >= 400) return shortened(withoutSecrets(JSON.stringify(answer)));
  return redacted(typeof answer === 'string' ? JSON.parse(answer) : answer);
}

/**
 * Without query, percent-encoded letters, or anything that grants access: ids of payers' views,
 * tokens that set a password, any credential sent in place of an id.
 */
export function shownPath(url: string): string | undefined {
  return withoutSecrets(decoded(url.split('?')[0]!.slice(0, 200)))
    .replace(/(\/notifications\/)(?!con_[0-9a-z]{26}$).+/i, '$1…')
    .replace(/(\/set-password\/).*/i, '$1…');
}

/** However often printable ASCII characters were encoded. */
function decoded(path: string): string {
  const once = path.replace(/%([2-7][0-9a-f])/gi, (encoded, hex) =>
    hex.toLowerCase() === '7f' ? encoded : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return once === path ? path : decoded(once);
}

/** Except on local hosts (spec section "Authentication") and hosts the operator allows. */
export function requireHttps(allowedHosts: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const host = request.hostname?.toLowerCase() ?? '';
    if (request.protocol === 'https' || isLocalHost(host) || allowedHosts.includes(host))
      return next();
    next(
      new Problem(
        'https_required',
        'Use https: plain http shows the credential and the customer to anyone on the network.',
      ),
    );
  };
}

/** `/v1/v1/…` is `/v1/…`: a client's base address may end in /v1. Only the path counts. */
export const foldVersion: RequestHandler = (request, _response, next) => {
  const path = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  request.url = path.replace(/^(\/v1)+(?=\/|\?|$)/, '').replace(/^(?!\/)/, '/');
  next();
};
