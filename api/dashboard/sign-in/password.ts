import { networkOf } from '../../../config/client-network.ts';
import type { MemberPassword } from '../../../domain/accounts/member/member-passwords.ts';
import { beginSession } from '../../../domain/accounts/session/begin-session.ts';
import { endSignIn } from '../../../domain/accounts/session/list-sessions.ts';
import { businessesOf } from '../../../domain/accounts/session/sign-in.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { throttleSignIn } from '../../auth/throttle.ts';
import { deviceOf, rememberDevice } from '../device-cookie.ts';
import { findSignedIn } from '../find-signed-in.ts';
import { setSession } from '../session-cookie.ts';
import { clearChoice, offerChoice, offeredChoice } from './choice-cookie.ts';
import { nextOf, texts, withNext } from './form.ts';
import { go, refusal, send, type Visit } from './site.ts';
import { signInStep } from './steps.ts';

export async function showSignIn(visit: Visit): Promise<void> {
  send(visit, 'sign-in', { next: nextOf(visit.request.query.next) });
}

/** A password that is right for several businesses leads to the choice of one. */
export async function givePassword(visit: Visit): Promise<void> {
  const { context, request, response } = visit;
  const { email, password, next } = texts(request.body, ['email', 'password', 'next']);
  try {
    const address = request.ip ?? '';
    const device = deviceOf(context, request);
    const proven = await throttleSignIn(context, { email, password, address, device });
    const [member, ...others] = proven;
    if (!member) throw isWrong();
    if (others.length === 0) return await begin(visit, member);
    offerChoice(context, response, proven);
    go(visit, withNext('/sign-in/business', next));
  } catch (error) {
    send(visit, 'sign-in', { email, next: nextOf(next), message: refusal(visit, error) });
  }
}

/** Shows only those that the password was right for. */
export async function showBusinesses(visit: Visit): Promise<void> {
  const { context, request } = visit;
  const offered = await offeredChoice(context, request);
  if (offered.length === 0) return go(visit, '/sign-in');
  const businesses = await businessesOf(context.db, offered);
  send(visit, 'business', { businesses, next: nextOf(request.query.next) });
}

export async function chooseBusiness(visit: Visit): Promise<void> {
  const { context, request, response } = visit;
  const { business } = texts(request.body, ['business']);
  const offered = await offeredChoice(context, request);
  const member = offered.find(({ tenantId }) => tenantId === business);
  if (!member) return go(visit, '/sign-in');
  clearChoice(response);
  await begin(visit, member);
}

/** Takes the place of the session that the browser had before. */
async function begin(visit: Visit, member: MemberPassword): Promise<void> {
  const { context, request, response } = visit;
  const userAgent = request.headers['user-agent'] ?? '';
  const client = { userAgent, network: networkOf(request.ip ?? '') };
  const begun = await context.inTx((tx) => beginSession(tx, member, client));
  if (!begun) throw isWrong();
  await endFormer(visit);
  setSession(response, begun.token);
  const { next } = texts(request.body, ['next']);
  if (begun.status !== 'active') return go(visit, withNext(signInStep(begun), next));
  rememberDevice(context, response, member.memberId);
  go(visit, nextOf(next));
}

function isWrong(): Problem {
  return new Problem('unauthorized', 'The e-mail address or the password is wrong.');
}

/** A session that may not be looked up ends by itself. */
async function endFormer({ context, request }: Visit): Promise<void> {
  const former = await findSignedIn(context, request).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited') return undefined;
    throw error;
  });
  if (!former) return;
  const { session } = former;
  await context.inTx((tx) => endSignIn(tx, session, session.familyId));
}
