import express, { type Request, type Response } from 'express';
import type { Context } from '../../../config/context.ts';
import {
  acceptCode,
  confirmTotp,
  prepareTotp,
} from '../../../domain/accounts/second-factor/second-factor.ts';
import { totpUri } from '../../../domain/accounts/second-factor/totp.ts';
import { beginSession } from '../../../domain/accounts/session/begin-session.ts';
import { endSignIn } from '../../../domain/accounts/session/list-sessions.ts';
import {
  activateSession,
  findSession,
  type Session,
} from '../../../domain/accounts/session/session.ts';
import { provePassword } from '../../../domain/accounts/session/sign-in.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { isWrongCode, throttleCode, throttleSignIn } from '../../auth/throttle.ts';
import { logProblem } from '../../http/reply.ts';
import { networkOf } from '../../middleware/limit.ts';
import { assetUrls } from '../assets.ts';
import { deviceOf, rememberDevice } from '../device-cookie.ts';
import { qrOf } from '../qr.ts';
import { render } from '../render.ts';
import {
  clearSession,
  formField,
  isFormOf,
  sessionTokenOf,
  setSession,
} from '../session-cookie.ts';
import { signInStep } from './steps.ts';

/**
 * Signing in and out: the password, then the code of the member's authenticator. A business may
 * demand one; a member without it then enrols before anything is shown.
 */
export function signInViews(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const parseForm = express.urlencoded({ extended: false, limit: '10kb' });
  const root = `${context.env.basePath}/dashboard`;

  router.get('/sign-in', (request, response) => {
    send(response, 'sign-in', { next: nextOf(request.query.next) });
  });
  router.post('/sign-in', parseForm, givePassword);
  router.get('/sign-in/code', async (request, response) => {
    const begun = await requireBegun(request, response, 'awaiting_code');
    if (begun)
      send(response, 'code', { csrf: formField(begun.token), next: nextOf(request.query.next) });
  });
  router.post('/sign-in/code', parseForm, giveCode);
  router.get('/sign-in/enrol', async (request, response) => {
    const begun = await requireBegun(request, response, 'awaiting_enrolment');
    if (begun) send(response, 'enrol', await enrolment(begun));
  });
  router.post('/sign-in/enrol', parseForm, enrol);
  router.post('/sign-out', parseForm, signOut);
  return router;

  async function givePassword(request: Request, response: Response): Promise<void> {
    const { email, password, next } = texts(request.body, ['email', 'password', 'next']);
    const address = request.ip ?? '';
    const client = {
      userAgent: request.headers['user-agent'] ?? '',
      network: networkOf(address),
    };
    try {
      const device = deviceOf(context, request, email);
      const begun = await throttleSignIn(context, { email, address, device }, async () => {
        const proven = await provePassword(context.db, { email, password }, context.passwordCost);
        return proven && context.transaction((tx) => beginSession(tx, proven, client));
      });
      if (!begun) throw new Problem('unauthorized', 'The e-mail address or the password is wrong.');
      setSession(response, begun.token);
      if (begun.status === 'active') rememberDevice(context, response, email);
      go(response, begun.status === 'active' ? nextOf(next) : withNext(signInStep(begun), next));
    } catch (error) {
      const message = refusal(error, request, response);
      send(response, 'sign-in', { email, next: nextOf(next), message });
    }
  }

  async function giveCode(request: Request, response: Response): Promise<void> {
    const begun = await requireBegun(request, response, 'awaiting_code');
    if (!begun) return;
    const { code, csrf, next } = texts(request.body, ['code', 'csrf', 'next']);
    requireForm(begun.token, csrf);
    try {
      await throttled(begun.session, (tx) => acceptCode(tx, begun.session, code));
      await activate(response, begun.session);
      go(response, nextOf(next));
    } catch (error) {
      const message = refusal(error, request, response);
      send(response, 'code', { csrf: formField(begun.token), next: nextOf(next), message });
    }
  }

  async function enrol(request: Request, response: Response): Promise<void> {
    const begun = await requireBegun(request, response, 'awaiting_enrolment');
    if (!begun) return;
    const { code, csrf } = texts(request.body, ['code', 'csrf']);
    requireForm(begun.token, csrf);
    try {
      const codes = await throttled(begun.session, (tx) => confirmTotp(tx, begun.session, code));
      await activate(response, begun.session);
      send(response, 'recovery-codes', { codes });
    } catch (error) {
      const message = refusal(error, request, response);
      send(response, 'enrol', { ...(await enrolment(begun)), message });
    }
  }

  async function signOut(request: Request, response: Response): Promise<void> {
    const token = sessionTokenOf(request);
    const session = token && (await findSession(context.db, token, context.clock()));
    if (session) {
      requireForm(token, texts(request.body, ['csrf']).csrf);
      await context.transaction((tx) => endSignIn(tx, session, session.familyId));
    }
    clearSession(response);
    go(response, '/sign-in');
  }

  /** The session at this step of its sign-in; without one, leads to where it is. */
  async function requireBegun(
    request: Request,
    response: Response,
    status: Session['status'],
  ): Promise<{ token: string; session: Session } | undefined> {
    const token = sessionTokenOf(request);
    const session = token && (await findSession(context.db, token, context.clock()));
    if (session && session.status === status) return { token, session };
    go(response, session && session.status === 'active' ? '/' : signInStep(session || undefined));
    return undefined;
  }

  /** Accepts a code within the limit of wrong ones. Throws 401 when it is wrong. */
  async function throttled<T>(
    { memberId }: Session,
    work: (tx: Parameters<Parameters<Context['transaction']>[0]>[0]) => Promise<T>,
  ): Promise<T> {
    try {
      return await throttleCode(context, memberId, () => context.transaction(work));
    } catch (error) {
      if (!isWrongCode(error)) throw error;
      throw new Problem('unauthorized', 'This code is wrong, or was used before.');
    }
  }

  async function activate(response: Response, session: Session): Promise<void> {
    const token = await context.transaction((tx) => activateSession(tx, session, tx.now));
    setSession(response, token);
    rememberDevice(context, response, session.email);
  }

  async function enrolment({ token, session }: { token: string; session: Session }) {
    const secret = await context.transaction((tx) => prepareTotp(tx, session));
    return { csrf: formField(token), secret, qr: await qrOf(totpUri(secret, session)) };
  }

  /** The words of a refusal a person can act on. Anything else is for the error view. */
  function refusal(error: unknown, request: Request, response: Response): string {
    const problem = logProblem(context, request, response, error);
    response.status(problem.status).set(problem.headers);
    return problem.message;
  }

  function send(response: Response, template: string, shown: object): void {
    const html = render(`sign-in/${template}`, {
      root,
      assets: assetUrls(root),
      message: undefined,
      email: '',
      ...shown,
    });
    response.set('Cache-Control', 'no-store').type('html').send(html);
  }

  function go(response: Response, path: string): void {
    response.set('Cache-Control', 'no-store').redirect(303, root + path);
  }
}

/** A path of the dashboard to go on to, and no other address. */
function nextOf(next: unknown): string {
  return typeof next === 'string' && /^\/[a-z0-9](?!.*\/\/)[\w/?&=.%@+-]*$/i.test(next)
    ? next.slice(0, 500)
    : '/';
}

function withNext(path: string, next: unknown): string {
  const after = nextOf(next);
  return after === '/' ? path : `${path}?next=${encodeURIComponent(after)}`;
}

function requireForm(token: string, csrf: string): void {
  if (!isFormOf(token, csrf))
    throw new Problem('forbidden', 'This form belongs to another session. Reload the page.');
}

/** The fields of a form as texts; one that is missing, or sent several times, is empty. */
function texts<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const fields = (body ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    names.map((name) => [name, typeof fields[name] === 'string' ? fields[name] : '']),
  ) as Record<Name, string>;
}
