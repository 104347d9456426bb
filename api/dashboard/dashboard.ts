import { randomUUID } from 'node:crypto';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { providersBySlot } from '../../domain/accounts/connection/connections.ts';
import { isAllowed, type Permission } from '../../domain/accounts/roles.ts';
import {
  findSession,
  type Session,
  switchMode,
  touchSession,
} from '../../domain/accounts/session/session.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import { assets, assetUrls } from './assets.ts';
import { routeCaller } from './call-route.ts';
import { sendCsv } from './exports/csv.ts';
import { exports } from './exports/exports.ts';
import {
  actionText,
  badgeOf,
  endpointBadge,
  formatsFor,
  providerTitle,
  roleTitle,
} from './format.ts';
import { dashboardSecurity, render } from './render.ts';
import {
  type DashboardRequest,
  type Form,
  type FormValues,
  type Notice,
  notices,
  type Refused,
  type Section,
  sections,
  type View,
} from './request.ts';
import { requireSameOrigin } from './same-origin.ts';
import {
  formField,
  isFormOf,
  sessionTokenOf,
  setNotice,
  setSession,
  takeNotice,
} from './session-cookie.ts';
import { signInViews } from './sign-in/views.ts';
import { forms, views } from './views.ts';

/**
 * `/dashboard`: what people of a business see and do. Views show what routes of the API answer, and
 * forms call them, so that the rules are the API's.
 */
export function dashboard(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const parseForm = express.urlencoded({ extended: false, limit: '100kb' });
  router.use('/assets', compression(), assets());
  router.use(dashboardSecurity, compression());
  router.use(requireSameOrigin);
  router.use(signInViews(context));
  router.post('/mode', parseForm, (request, response) => chooseMode(context, request, response));
  for (const file of exports)
    router.get(file.path, async (request, response) => {
      const signedIn = await requireSession(context, request, response);
      if (!signedIn) return;
      await sendCsv(memberRequest(context, request, signedIn), response, file);
    });
  for (const view of views)
    router.get(view.path, (request, response) => showView(context, request, response, view));
  for (const form of forms)
    router.post(form.path, parseForm, (request, response) =>
      submitForm(context, request, response, form),
    );
  router.use(() => {
    throw new Problem('not_found', 'There is nothing at this address of the dashboard.');
  });
  router.use(onError(context));
  return router;
}

/** A request with the session it belongs to. */
interface SignedIn {
  token: string;
  session: Session;
}

/** The active session of a request; without one, leads to the sign-in. */
async function requireSession(
  context: Context,
  request: Request,
  response: Response,
): Promise<SignedIn | undefined> {
  const token = sessionTokenOf(request);
  const now = context.clock();
  const session = token ? await findSession(context.db, token, now) : undefined;
  if (!token || session?.status !== 'active') {
    leadToSignIn(context, request, response);
    return undefined;
  }
  await touchSession(context.db, session, now);
  response.locals.tenantId = session.tenantId;
  return { token, session };
}

function leadToSignIn(context: Context, request: Request, response: Response): void {
  const isForm = request.method === 'POST' || request.path === '/';
  lead(context, response, `/sign-in${isForm ? '' : `?next=${encodeURIComponent(request.url)}`}`);
}

async function showView(
  context: Context,
  request: Request,
  response: Response,
  view: View,
): Promise<void> {
  const signedIn = await requireSession(context, request, response);
  if (!signedIn) return;
  const member = memberRequest(context, request, signedIn);
  requireFor(member, view.permission);
  const data = await view.load(member);
  if (data.leadTo !== undefined) return lead(context, response, data.leadTo);
  const notice = takeNotice(request, response);
  await send(context, response, signedIn, view, {
    ...data,
    notice: notice && notices[notice as Notice],
  });
}

/** Goes on to a path of the dashboard. */
function lead({ env }: Context, response: Response, path: string): void {
  response.set('Cache-Control', 'no-store').redirect(303, `${env.basePath}/dashboard${path}`);
}

/** Submits a form. One that is refused for its fields, or for a status, is shown again with why. */
async function submitForm(
  context: Context,
  request: Request,
  response: Response,
  form: Form,
): Promise<void> {
  const signedIn = await requireSession(context, request, response);
  if (!signedIn) return;
  const { csrf, idempotency_key: key, ...values } = (request.body ?? {}) as FormValues;
  requireFormOf(signedIn, csrf);
  const member = memberRequest(context, request, signedIn, keyIn(key));
  requireFor(member, form.permission);
  try {
    const submitted = await form.submit({ ...member, values });
    if (submitted.session) setSession(response, submitted.session);
    if ('to' in submitted) {
      if (submitted.notice) setNotice(response, submitted.notice);
      return lead(context, response, submitted.to);
    }
    const shown = { ...(await form.view.load(member)), ...submitted.shown };
    await send(context, response, signedIn, form.view, shown);
  } catch (error) {
    if (!canBeShownAgain(error)) throw error;
    const problem = logProblem(context, request, response, error);
    const refused: Refused = {
      form: request.path,
      values,
      message: problem.message,
      fields: problem.fields ?? {},
    };
    const again = { ...member, refused };
    const data = await form.view.load(again);
    await send(context, response.status(problem.status), signedIn, form.view, { ...data, refused });
  }
}

function canBeShownAgain(error: unknown): error is Problem {
  return (
    error instanceof Problem &&
    ['validation_failed', 'invalid_state', 'no_provider', 'idempotency_conflict'].includes(
      error.code,
    )
  );
}

async function chooseMode(context: Context, request: Request, response: Response): Promise<void> {
  const signedIn = await requireSession(context, request, response);
  if (!signedIn) return;
  requireFormOf(signedIn, request.body?.csrf);
  const { session } = signedIn;
  await switchMode(context.db, session, session.mode === 'test' ? 'live' : 'test');
  const section = sections[request.body?.section as Section] ?? sections.overview;
  lead(context, response, section.path);
}

/** Throws 403 for a form that this session was not shown. */
function requireFormOf({ token }: SignedIn, csrf: unknown): void {
  if (!isFormOf(token, csrf)) {
    throw new Problem(
      'forbidden',
      'This form belongs to another session. Go back, reload the page and send it again.',
    );
  }
}

function memberRequest(
  context: Context,
  request: Request,
  { token, session }: SignedIn,
  idempotencyKey?: string,
): DashboardRequest {
  const { mode } = session;
  const address = request.ip ?? '';
  return {
    context,
    session,
    mode,
    now: context.clock(),
    address,
    params: request.params as Record<string, string>,
    query: lastOfEach(request.query),
    call: routeCaller(context, { session, token, mode, address, idempotencyKey }),
    may: (permission) => isAllowed(session.role, permission),
    refused: undefined,
  };
}

/** The key of a form, made when it was shown. */
function keyIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,120}$/.test(value) ? value : undefined;
}

function lastOfEach(query: Request['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String([value].flat().at(-1))]),
  );
}

function requireFor({ may }: DashboardRequest, permission: Permission | 'any member'): void {
  if (permission === 'any member' || may(permission)) return;
  throw new Problem('forbidden', 'Your role does not show this. Ask an Owner of the business.');
}

/** Renders a view inside the frame with the navigation. */
async function send(
  context: Context,
  response: Response,
  { token, session }: SignedIn,
  view: View,
  shown: object,
): Promise<void> {
  const root = `${context.env.basePath}/dashboard`;
  const providers = await providersBySlot(context.db, session);
  const html = render(view.template, {
    title: view.title,
    section: view.section,
    sections: Object.entries(sections)
      .filter(
        ([name, { permission }]) =>
          name !== 'account' &&
          (permission === 'any member' || isAllowed(session.role, permission)),
      )
      .map(([name, section]) => ({ name, ...section })),
    session,
    mode: session.mode,
    root,
    assets: assetUrls(root),
    csrf: formField(token),
    idempotencyKey: randomUUID(),
    badgeOf,
    roleTitle,
    actionText,
    providerTitle,
    endpointBadge,
    providerName: (slot: string) => providerTitle(providers[slot] ?? slot),
    ...formatsFor(session.timeZone),
    may: (permission: Permission) => isAllowed(session.role, permission),
    refused: undefined,
    notice: undefined,
    ...shown,
  });
  response.set('Cache-Control', 'no-store').type('html').send(html);
}

function onError(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const problem = logProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const root = `${context.env.basePath}/dashboard`;
    const html = render('problem', {
      title: problem.status === 404 ? 'Not found' : 'That did not work',
      message: problem.message,
      root,
      assets: assetUrls(root),
    });
    response
      .status(problem.status)
      .set({ 'Cache-Control': 'no-store', ...problem.headers })
      .type('html')
      .send(html);
  };
}
