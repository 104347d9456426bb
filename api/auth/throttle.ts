import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import type { RateLimitName } from '../../config/limits/rate-limits.ts';
import { type MemberPassword, membersWith } from '../../domain/accounts/member/member-passwords.ts';
import { provePassword } from '../../domain/accounts/session/sign-in.ts';
import { familyOf } from '../../domain/accounts/token/refresh.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { limited, throttle } from '../middleware/limit.ts';
import { lookUpSecret, type ShownSecret } from '../middleware/look-up-secret.ts';

/** A sign-in with a password. */
export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  /** The browser, and the members it has signed in before. */
  device?: Device | undefined;
}

/** A browser that signed members in before. */
export interface Device {
  /** Names this browser. */
  nonce: string;
  memberIds: readonly string[];
}

/**
 * The members whose e-mail address and password these are: none, one, or one in each of several
 * businesses. Throws 429, for the right password too, when too many attempts have failed for this
 * account from this device; or, where the device is not known, for this account from this network,
 * or from this network for any account. So nobody can lock the owner of an account out, from
 * elsewhere or from the same network.
 *
 * Each member is counted apart, and a member who had too many is left out. So who has an account
 * with somebody else's e-mail address in one business guesses no faster in another. Every attempt
 * is counted before it is made, and the count is given back when it succeeds, so that a hundred
 * attempts at once count like a hundred in a row.
 */
export async function throttleSignIn(
  context: Context,
  { email, password, address, device }: SignInAttempt,
): Promise<MemberPassword[]> {
  const network = networkOf(address);
  const members = await membersWith(context.db, email);
  const isKnown = ({ memberId }: MemberPassword) => device?.memberIds.includes(memberId);
  const accountOf = (member: MemberPassword) =>
    `${member.memberId} ${isKnown(member) ? device!.nonce : network}`;
  const points = countedPoints(context);
  try {
    if (!members.some(isKnown)) await points.require('signInAddress', network);
    const open: MemberPassword[] = [];
    let refused: Problem | undefined;
    for (const member of members) {
      const standing = await points.take('signInAccount', accountOf(member));
      if (standing.allowed) open.push(member);
      else refused ??= limited(standing);
    }
    if (members.length === 0)
      await points.require('signInAccount', `${email.toLowerCase()} ${network}`);
    if (open.length === 0 && refused) throw refused;
    const proven = await provePassword(open, password, context.passwordCost);
    for (const member of open)
      if (!proven.includes(member)) points.spend('signInAccount', accountOf(member));
    if (proven.length === 0) points.spendAll();
    return proven;
  } finally {
    await points.giveBack();
  }
}

/** Points of limits that count failures: what is not spent is given back. */
function countedPoints({ limits }: Context) {
  const taken: { name: RateLimitName; subject: string }[] = [];
  const take = async (name: RateLimitName, subject: string) => {
    const standing = await limits.take(name, subject);
    if (standing.allowed) taken.push({ name, subject });
    return standing;
  };
  return {
    take,
    /** Throws 429 when there is none left. */
    async require(name: RateLimitName, subject: string): Promise<void> {
      const standing = await take(name, subject);
      if (!standing.allowed) throw limited(standing);
    },
    spend(name: RateLimitName, subject: string): void {
      taken.splice(
        taken.findIndex((one) => one.name === name && one.subject === subject),
        1,
      );
    },
    spendAll(): void {
      taken.length = 0;
    },
    giveBack: () => Promise.all(taken.map(({ name, subject }) => limits.giveBack(name, subject))),
  };
}

/** An authentication code of a member, and where it comes from. */
export interface CodeAttempt {
  memberId: string;
  code: string;
  address: string;
  /** What proves that the member was here before: a known browser, or a session. */
  known?: string | undefined;
}

/**
 * Checks an authentication code of a member. Throws 429, for the right code too, when too many were
 * wrong. `check` throws the 422 for `code` when it is wrong; it is counted as passwords are.
 */
export async function throttleCode<T>(
  context: Context,
  { memberId, code, address, known }: CodeAttempt,
  check: () => Promise<T>,
): Promise<T> {
  const points = countedPoints(context);
  try {
    await points.require('authenticationCode', `${memberId} ${known ?? networkOf(address)}`);
    if (known === undefined && isSixDigits(code)) {
      const standing = await points.take('unknownDeviceCode', memberId);
      if (!standing.allowed) throw limited(standing, WAYS_IN);
    }
    return await check();
  } catch (error) {
    if (isWrongCode(error)) points.spendAll();
    throw error;
  } finally {
    await points.giveBack();
  }
}

const WAYS_IN =
  'Too many wrong codes were given for this account. Use one of your recovery codes, or a browser ' +
  'that you signed in with before.';

/** True for what an authenticator shows; recovery codes are longer. */
function isSixDigits(code: string): boolean {
  return code.replaceAll(/\s/g, '').length <= 6;
}

/** True for the refusal of a wrong authentication code. */
export function isWrongCode(error: unknown): boolean {
  return error instanceof Problem && error.fields?.code !== undefined;
}

/**
 * Counts a refresh like every other request of its sign-in. Refreshes of one sign-in run one at a
 * time, and many of them waiting would use up the connections to the database. False: nobody has
 * such a token.
 */
export async function countRefresh(context: Context, shown: ShownSecret): Promise<boolean> {
  const family = await lookUpSecret(context, shown, () => familyOf(context.db, shown.secret));
  if (family !== undefined) await throttle(context, 'userToken', family);
  return family !== undefined;
}

/**
 * Counts a refresh token that is not valid. Throws 429 in place of the usual answer when too many
 * came from this address. Valid tokens are not limited by it, because many people may share one
 * address.
 */
export function countFailedRefresh(context: Context, address: string): Promise<void> {
  return throttle(context, 'signInAddress', networkOf(address));
}
