import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { isAllowed } from '../../domain/accounts/roles.ts';
import { touchSession } from '../../domain/accounts/session/session.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { filledIn } from '../http/route.ts';
import { routeCaller } from './call-route.ts';
import { findSignedIn } from './find-signed-in.ts';
import { lead, pathIn } from './frame.ts';
import { type DashboardRequest, type Form, mayFor, type Need, type SignedIn } from './request.ts';
import { isFormOf } from './session-cookie.ts';
import { withNext } from './sign-in/form.ts';
import { signInStep } from './sign-in/steps.ts';
import { keepUnsent } from './unsent-form.ts';

/** Leads to the sign-in where no session is active, and from there back to the view. */
export async function requireSession(
  context: Context,
  request: Request,
  response: Response,
  submitted?: { path: string; form: Form },
): Promise<SignedIn | undefined> {
  const signedIn = await findSignedIn(context, request);
  if (signedIn?.session.status !== 'active') {
    const mode = submitted && keepUnsent(context, request, response, submitted);
    const page = submitted?.path ?? (request.method === 'POST' ? '/' : request.url);
    const back = mode ? `${page}?mode=${mode}` : page;
    leadToSignIn(context, request, response, withNext(signInStep(signedIn?.session), back));
    return undefined;
  }
  const { session } = signedIn;
  if (!isUnattended(request)) await touchSession(context.db, session, context.clock());
  response.locals.tenantId = session.tenantId;
  return signedIn;
}

function leadToSignIn(context: Context, request: Request, response: Response, path: string): void {
  if (request.get('hx-request') === undefined) lead(context, response, path);
  // A part of a page would show the sign-in in its place: the page goes there instead.
  else response.set({ 'Cache-Control': 'no-store', 'HX-Redirect': pathIn(context, path) }).end();
}

/** A page asks so by itself for the latest status: this keeps no session from ending. */
export function isUnattended(request: Request): boolean {
  return request.get('unattended') !== undefined;
}

/** Throws 403 for a form that this session was not shown, 409 for one of the other mode. */
export function requireFormOf({ token, session: { mode } }: SignedIn, csrf: unknown): void {
  if (isFormOf(token, csrf, mode === 'test' ? 'live' : 'test')) {
    const message = `You switched to ${mode} mode since this page was opened. Reload it first.`;
    throw new Problem('invalid_state', message);
  }
  if (!isFormOf(token, csrf, mode)) {
    throw new Problem(
      'forbidden',
      'This form belongs to another session. Go back, reload the page and send it again.',
    );
  }
}

export function memberRequest(
  context: Context,
  request: Request,
  { token, session }: SignedIn,
  viewPath: string,
  idempotencyKey?: string,
): DashboardRequest {
  const { mode } = session;
  const address = request.ip ?? '';
  const params = request.params as Record<string, string>;
  if (Object.values(params).some((value) => value.includes('\0')))
    throw new Problem('not_found', 'There is nothing at this address of the dashboard.');
  return {
    context,
    session,
    mode,
    now: context.clock(),
    address,
    path: filledIn(viewPath, params),
    params,
    query: lastOfEach(request.query),
    all: request.query as Record<string, string | string[]>,
    call: routeCaller(context, { session, token, mode, address, idempotencyKey }),
    may: (permission) => isAllowed(session.role, permission),
    refused: undefined,
  };
}

/** Made when the form was shown. */
export function keyIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,120}$/.test(value) ? value : undefined;
}

function lastOfEach(query: Request['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String([value].flat().at(-1))]),
  );
}

export function requireFor({ session }: DashboardRequest, need: Need): void {
  if (mayFor(session.role, need)) return;
  throw new Problem('forbidden', 'Your role does not show this. Ask an Owner of the business.');
}
