import type { RequestHandler } from 'express';
import type { Context } from '../../config/context.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';
import { NIL_TENANT_ID, newId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';

/** Names the request, sets what every answer carries, and logs one wide line when it is over, answered or not. */
export function logRequest({ log, clock }: Pick<Context, 'log' | 'clock'>): RequestHandler {
  return (request, response, next) => {
    const requestId = newId('req', clock());
    const startedMs = performance.now();
    response.locals.requestId = requestId;
    response.set({
      'Request-Id': requestId,
      'X-Service-Tenant': NIL_TENANT_ID,
      'X-Content-Type-Options': 'nosniff',
    });
    response.on('close', () => {
      log.info('request', {
        request_id: requestId,
        method: request.method,
        path: shownPath(request.originalUrl),
        status: response.statusCode,
        outcome: response.writableFinished ? (response.locals.outcome ?? 'ok') : 'aborted',
        reason: response.locals.reason,
        tenant_id: response.locals.tenantId,
        connection_id: response.locals.connectionId,
        notification_id: response.locals.notificationId,
        duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      });
    });
    next();
  };
}

/**
 * A path as logs have it: without the query, the ids that let anyone see a payer's page, the tokens that let anyone set a password, and
 * credentials that somebody put where an id belongs, ours or a provider's.
 */
export function shownPath(url: string): string | undefined {
  return url
    .split('?')[0]
    ?.slice(0, 200)
    .replace(/(ct|lnk|svc_[sp]k_(?:live|test)|hat|hrt|whsec)_[0-9a-z]+/gi, '$1_…')
    .replace(/(\/notifications\/)(?!con_[0-9a-z]{26}$).+/i, '$1…')
    .replace(/(\/set-password\/).*/i, '$1…');
}

/** Refuses plain HTTP, but for the local hosts of the contract and hosts the operator allows. */
export function requireHttps(allowedHosts: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const host = request.hostname?.toLowerCase() ?? '';
    if (request.protocol === 'https' || isLocalHost(host) || allowedHosts.includes(host))
      return next();
    next(
      new Problem(
        'https_required',
        'Use https: plain http would show the credential and the customer to anyone on the way.',
      ),
    );
  };
}

/**
 * A client whose base address already ends in /v1 may add it again: `/v1/v1/…` is read as `/v1/…`. One that sends the whole address, as
 * HTTP allows, means its path.
 */
export const foldVersion: RequestHandler = (request, _response, next) => {
  const path = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  request.url = path.replace(/^(\/v1)+(?=\/|\?|$)/, '').replace(/^(?!\/)/, '/');
  next();
};
