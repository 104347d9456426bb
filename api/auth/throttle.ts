import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import type { RateLimitName } from '../../config/limits/rate-limits.ts';
import { type MemberPassword, membersWith } from '../../domain/accounts/member/member-passwords.ts';
import { provePassword } from '../../domain/accounts/session/sign-in.ts';
import { familyOf } from '../../domain/accounts/token/refresh.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { limited, throttle } from '../middleware/limit.ts';
import { lookUpSecret, type ShownSecret } from '../middleware/look-up-secret.ts';

export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  device?: Device | undefined;
}

export type Device = { nonce: string; memberIds: readonly string[] };

/**
 * The members whose e-mail address and password these are, one for each of their businesses. Throws
 * 429, for the right password too, when too many attempts failed for this account from this device;
 * where it is not known, for the account from this network, or from the network for any account. So
 * nobody can lock an account's owner out.
 *
 * Each member is counted apart: who has an account with somebody else's address in one business
 * guesses no faster in another. An attempt is counted before it is made, so that a hundred at once
 * count like a hundred in a row.
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

/** Points that are not spent are given back. */
function countedPoints({ limits }: Context) {
  const taken: { name: RateLimitName; subject: string }[] = [];
  const take = async (name: RateLimitName, subject: string) => {
    const standing = await limits.take(name, subject);
    if (standing.allowed) taken.push({ name, subject });
    return standing;
  };
  return {
    take,
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

export interface CodeAttempt {
  memberId: string;
  code: string;
  address: string;
  /** A known browser, or a session. */
  known?: string | undefined;
}

/** Throws 429, for the right code too, after too many wrong ones. `check` throws the 422. */
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

export function isWrongCode(error: unknown): boolean {
  return error instanceof Problem && error.fields?.code !== undefined;
}

/**
 * Counts a refresh before it waits: those of one sign-in run one at a time, and many would use up
 * the database's connections. False: nobody has such a token.
 */
export async function countRefresh(context: Context, shown: ShownSecret): Promise<boolean> {
  const family = await lookUpSecret(context, shown, () => familyOf(context.db, shown.secret));
  if (family !== undefined) await throttle(context, 'userToken', family);
  return family !== undefined;
}

/**
 * Counts an invalid refresh token. Throws 429 when too many came from this address; valid ones are
 * not limited, because many people may share it.
 */
export function countFailedRefresh(context: Context, address: string): Promise<void> {
  return throttle(context, 'signInAddress', networkOf(address));
}
