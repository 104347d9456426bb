import type { Context } from '../../config/context.ts';
import { familyOf } from '../../domain/accounts/token/refresh.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { networkOf, throttle } from '../middleware/limit.ts';

/** The account of a sign-in, whether it exists or not, and where the attempt comes from. */
export interface SignInAttempt {
  email: string;
  address: string;
  /** The browser, where it has signed this account in before. */
  device?: string | undefined;
}

/**
 * Attempts to sign in. Throws 429, for the right password too, when too many attempts have failed
 * for this account from this device; or, where the device is not known, for this account from this
 * network, or from this network for any account. So nobody can lock the owner of an account out,
 * from elsewhere or from the same network.
 * `attempt` returns undefined when it fails. Every attempt is counted before it is made, and the
 * count is given back when it succeeds, so that a hundred attempts at once count like a hundred in
 * a row.
 */
export async function throttleSignIn<T>(
  context: Context,
  { email, address, device }: SignInAttempt,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const network = networkOf(address);
  const account = `${email.toLowerCase()} ${device ?? network}`;
  await take(context, account, device === undefined ? network : undefined);
  let failed = false;
  try {
    const result = await attempt();
    failed = result === undefined;
    return result;
  } finally {
    if (!failed)
      await Promise.all([
        context.limits.giveBack('signInAccount', account),
        device === undefined && context.limits.giveBack('signInAddress', network),
      ]);
  }
}

/**
 * Checks an authentication code of a member. Throws 429, for the right code too, when too many were
 * wrong. `check` throws the 422 for `code` when it is wrong; it is counted as passwords are.
 */
export async function throttleCode<T>(
  context: Context,
  memberId: string,
  check: () => Promise<T>,
): Promise<T> {
  await throttle(context, 'authenticationCode', memberId);
  let isWrong = false;
  try {
    return await check();
  } catch (error) {
    isWrong = isWrongCode(error);
    throw error;
  } finally {
    if (!isWrong) await context.limits.giveBack('authenticationCode', memberId);
  }
}

/** True for the refusal of a wrong authentication code. */
export function isWrongCode(error: unknown): boolean {
  return error instanceof Problem && error.fields?.code !== undefined;
}

/**
 * An attempt refused for its address does not count against the account, nor the other way round.
 */
async function take(context: Context, account: string, network: string | undefined): Promise<void> {
  if (network !== undefined) await throttle(context, 'signInAddress', network);
  try {
    await throttle(context, 'signInAccount', account);
  } catch (error) {
    if (network !== undefined) await context.limits.giveBack('signInAddress', network);
    throw error;
  }
}

/**
 * Counts a refresh like every other request of its sign-in. Refreshes of one sign-in run one at a
 * time, and many of them waiting would use up the connections to the database.
 */
export async function countRefresh(context: Context, refreshToken: string): Promise<void> {
  const family = await familyOf(context.db, refreshToken);
  if (family !== undefined) await throttle(context, 'userToken', family);
}

/**
 * Counts a refresh token that is not valid. Throws 429 in place of the usual answer when too many
 * came from this address. Valid tokens are not limited by it, because many people may share one
 * address.
 */
export function countFailedRefresh(context: Context, address: string): Promise<void> {
  return throttle(context, 'signInAddress', networkOf(address));
}
