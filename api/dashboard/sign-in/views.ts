import express from 'express';
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
import type { SignedIn } from '../request.ts';
import { clearSession, formField, setSession } from '../session-cookie.ts';
import { askForLink, showForgottenPassword } from './forgotten-password.ts';
import { nextOf, requireForm, texts } from './form.ts';
import { chooseBusiness, givePassword, showBusinesses, showSignIn } from './password.ts';
import { go, refusal, send, type Visit } from './site.ts';
import { signInStep } from './steps.ts';

/**
 * The password, the business where it is right for several, then the authenticator's code. Where a
 * business demands one, a member enrols before anything is shown.
 */
export function signInViews(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const parseForm = express.urlencoded({ extended: false, limit: '10kb' });
  const pages: [path: string, ...handlers: ((visit: Visit) => Promise<void>)[]][] = [
    ['/sign-in', givePassword, showSignIn],
    ['/forgotten-password', askForLink, showForgottenPassword],
    ['/sign-in/business', chooseBusiness, showBusinesses],
    ['/sign-in/code', begun('awaiting_code', giveCode), begun('awaiting_code', showCode)],
    ['/sign-in/enrol', begun('awaiting_enrolment', enrol), begun('awaiting_enrolment', showSecret)],
    ['/sign-out', signOut],
  ];
  for (const [path, submit, show] of pages) {
    router.post(path, parseForm, (request, response) => submit!({ context, request, response }));
    if (show) router.get(path, (request, response) => show({ context, request, response }));
  }
  return router;
}

/** Leads to the step at which the session is. */
function begun(
  step: Session['status'],
  handle: (visit: Visit, begun: SignedIn) => Promise<void>,
): (visit: Visit) => Promise<void> {
  return async (visit) => {
    const found = await findSignedIn(visit.context, visit.request);
    if (found?.session.status === step) return handle(visit, found);
    go(visit, found?.session.status === 'active' ? '/' : signInStep(found?.session));
  };
}

async function showCode(visit: Visit, { token }: SignedIn): Promise<void> {
  const next = nextOf(visit.request.query.next);
  send(visit, 'code', { csrf: formField(token, 'sign-in'), next });
}

async function giveCode(visit: Visit, { token, session }: SignedIn): Promise<void> {
  const { code, csrf, next } = texts(visit.request.body, ['code', 'csrf', 'next']);
  requireForm(token, csrf, 'sign-in');
  try {
    await throttled(visit, session, code, (tx) => acceptCode(tx, session, code));
    await activate(visit, session);
    go(visit, nextOf(next));
  } catch (error) {
    const message = refusal(visit, error);
    send(visit, 'code', { csrf: formField(token, 'sign-in'), next: nextOf(next), message });
  }
}

async function showSecret(visit: Visit, found: SignedIn): Promise<void> {
  send(visit, 'enrol', await enrolment(visit, found));
}

async function enrol(visit: Visit, found: SignedIn): Promise<void> {
  const { token, session } = found;
  const { code, csrf } = texts(visit.request.body, ['code', 'csrf']);
  requireForm(token, csrf, 'sign-in');
  try {
    const codes = await throttled(visit, session, code, (tx) => confirmTotp(tx, session, code));
    await activate(visit, session);
    send(visit, 'recovery-codes', { codes });
  } catch (error) {
    const message = refusal(visit, error);
    send(visit, 'enrol', { ...(await enrolment(visit, found)), message });
  }
}

async function signOut(visit: Visit): Promise<void> {
  const { context, request, response } = visit;
  const signedIn = await findSignedIn(context, request);
  if (signedIn) {
    const { token, session } = signedIn;
    requireForm(token, texts(request.body, ['csrf']).csrf, 'test', 'live');
    await context.inTx((tx) => endSignIn(tx, session, session.familyId));
  }
  clearSession(response);
  go(visit, '/sign-in');
}

/** Throws 401 for a wrong code. */
async function throttled<T>(
  { context, request }: Visit,
  { memberId }: Session,
  code: string,
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

async function activate({ context, response }: Visit, session: Session): Promise<void> {
  const token = await context.inTx((tx) => activateSession(tx, session, tx.now));
  setSession(response, token);
  rememberDevice(context, response, session.memberId);
}

async function enrolment({ context }: Visit, { token, session }: SignedIn) {
  const secret = await context.inTx((tx) => prepareTotp(tx, session));
  return { csrf: formField(token, 'sign-in'), secret, qr: await qrOf(totpUri(secret, session)) };
}
