import express, { type Request, type Response } from 'express';
import type { Context } from '../../../config/context.ts';
import {
  acceptCode,
  confirmTotp,
  prepareTotp,
} from '../../../domain/accounts/second-factor/second-factor.ts';
import { totpUri } from '../../../domain/accounts/second-factor/totp.ts';
import { endSignIn } from '../../../domain/accounts/session/list-sessions.ts';
import { activateSession, type Session } from '../../../domain/accounts/session/session.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { isWrongCode, throttleCode } from '../../auth/throttle.ts';
import { deviceOf, rememberDevice } from '../device-cookie.ts';
import { findSignedIn } from '../find-signed-in.ts';
import { qrOf } from '../qr.ts';
import { clearSession, formField, setSession } from '../session-cookie.ts';
import { nextOf, requireForm, texts } from './form.ts';
import { chooseBusiness, givePassword, showBusinesses, showSignIn } from './password.ts';
import { go, type Handler, refusal, type SignIn, send } from './site.ts';
import { signInStep } from './steps.ts';

/**
 * Signing in and out: the password, the business where it is right for several, then the code of
 * the member's authenticator. A business may demand one; a member without it then enrols before
 * anything is shown.
 */
export function signInViews(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const parseForm = express.urlencoded({ extended: false, limit: '10kb' });
  const site: SignIn = { context, root: `${context.env.basePath}/dashboard` };
  const on = (handle: Handler) => (request: Request, response: Response) =>
    handle(site, request, response);
  router.get('/sign-in', on(showSignIn));
  router.post('/sign-in', parseForm, on(givePassword));
  router.get('/sign-in/business', on(showBusinesses));
  router.post('/sign-in/business', parseForm, on(chooseBusiness));
  router.get('/sign-in/code', on(showCode));
  router.post('/sign-in/code', parseForm, on(giveCode));
  router.get('/sign-in/enrol', on(showEnrolment));
  router.post('/sign-in/enrol', parseForm, on(enrol));
  router.post('/sign-out', parseForm, on(signOut));
  return router;
}

async function showCode(site: SignIn, request: Request, response: Response): Promise<void> {
  const begun = await requireBegun(site, request, response, 'awaiting_code');
  if (!begun) return;
  send(site, response, 'code', {
    csrf: formField(begun.token, 'sign-in'),
    next: nextOf(request.query.next),
  });
}

async function giveCode(site: SignIn, request: Request, response: Response): Promise<void> {
  const begun = await requireBegun(site, request, response, 'awaiting_code');
  if (!begun) return;
  const { code, csrf, next } = texts(request.body, ['code', 'csrf', 'next']);
  requireForm(begun.token, csrf, 'sign-in');
  try {
    await throttled(site, request, { ...begun, code }, (tx) => acceptCode(tx, begun.session, code));
    await activate(site, response, begun.session);
    go(site, response, nextOf(next));
  } catch (error) {
    const message = refusal(site, error, request, response);
    send(site, response, 'code', {
      csrf: formField(begun.token, 'sign-in'),
      next: nextOf(next),
      message,
    });
  }
}

async function showEnrolment(site: SignIn, request: Request, response: Response): Promise<void> {
  const begun = await requireBegun(site, request, response, 'awaiting_enrolment');
  if (begun) send(site, response, 'enrol', await enrolment(site, begun));
}

async function enrol(site: SignIn, request: Request, response: Response): Promise<void> {
  const begun = await requireBegun(site, request, response, 'awaiting_enrolment');
  if (!begun) return;
  const { code, csrf } = texts(request.body, ['code', 'csrf']);
  requireForm(begun.token, csrf, 'sign-in');
  try {
    const codes = await throttled(site, request, { ...begun, code }, (tx) =>
      confirmTotp(tx, begun.session, code),
    );
    await activate(site, response, begun.session);
    send(site, response, 'recovery-codes', { codes });
  } catch (error) {
    const message = refusal(site, error, request, response);
    send(site, response, 'enrol', { ...(await enrolment(site, begun)), message });
  }
}

async function signOut(site: SignIn, request: Request, response: Response): Promise<void> {
  const { context } = site;
  const signedIn = await findSignedIn(context, request);
  if (signedIn) {
    const { token, session } = signedIn;
    requireForm(token, texts(request.body, ['csrf']).csrf, 'test', 'live');
    await context.inTx((tx) => endSignIn(tx, session, session.familyId));
  }
  clearSession(response);
  go(site, response, '/sign-in');
}

interface Begun {
  token: string;
  session: Session;
}

/** The session at this step of its sign-in; without one, leads to where it is. */
async function requireBegun(
  site: SignIn,
  request: Request,
  response: Response,
  status: Session['status'],
): Promise<Begun | undefined> {
  const begun = await findSignedIn(site.context, request);
  if (begun?.session.status === status) return begun;
  go(site, response, begun?.session.status === 'active' ? '/' : signInStep(begun?.session));
  return undefined;
}

/** Accepts a code within the limit of wrong ones. Throws 401 when it is wrong. */
async function throttled<T>(
  { context }: SignIn,
  request: Request,
  { session: { memberId }, code }: Begun & { code: string },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const device = deviceOf(context, request);
  const known = device?.memberIds.includes(memberId) ? device.nonce : undefined;
  const attempt = { memberId, code, address: request.ip ?? '', known };
  try {
    return await throttleCode(context, attempt, () => context.inTx(work));
  } catch (error) {
    if (!isWrongCode(error)) throw error;
    throw new Problem('unauthorized', 'This code is wrong, or was used before.');
  }
}

async function activate({ context }: SignIn, response: Response, session: Session): Promise<void> {
  const token = await context.inTx((tx) => activateSession(tx, session, tx.now));
  setSession(response, token);
  rememberDevice(context, response, session.memberId);
}

async function enrolment({ context }: SignIn, { token, session }: Begun) {
  const secret = await context.inTx((tx) => prepareTotp(tx, session));
  return { csrf: formField(token, 'sign-in'), secret, qr: await qrOf(totpUri(secret, session)) };
}
