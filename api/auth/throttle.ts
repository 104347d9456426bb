import type { Context } from '../../config/context.ts';
import { familyOf } from '../../domain/accounts/token/refresh.ts';
import { networkOf, throttle } from '../middleware/limit.ts';

/** Whose account is tried, known or not, and from where. */
export interface Guess {
  email: string;
  address: string;
}

/**
 * Makes an attempt to sign in, unless too many have failed for this account or from this address: then 429, right or wrong. Undefined is
 * a failure. Every attempt is counted before it is made, and taken back when it did not fail, so that a hundred guesses made at once
 * count like a hundred made one by one.
 */
export async function maySignIn<T>(
  context: Context,
  { email, address }: Guess,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const [account, network] = [email.toLowerCase(), networkOf(address)];
  await takeBoth(context, account, network);
  let failed = false;
  try {
    const result = await attempt();
    failed = result === undefined;
    return result;
  } finally {
    if (!failed)
      await Promise.all([
        context.limits.giveBack('signInAccount', account),
        context.limits.giveBack('signInAddress', network),
      ]);
  }
}

/** A guess that is refused for its address does not count against the account, nor the other way round. */
async function takeBoth(context: Context, account: string, network: string): Promise<void> {
  await throttle(context, 'signInAddress', network);
  try {
    await throttle(context, 'signInAccount', account);
  } catch (error) {
    await context.limits.giveBack('signInAddress', network);
    throw error;
  }
}

/**
 * Counts a refresh token like every other request of its sign-in: what is done with it is done one at a time, and a flood of those who
 * wait would take everybody's connections to the database.
 */
export async function countRefresh(context: Context, refreshToken: string): Promise<void> {
  const family = await familyOf(context.db, refreshToken);
  if (family !== undefined) await throttle(context, 'userToken', family);
}

/**
 * Counts a refresh token that is good for nothing. Throws 429 in place of the usual answer when too many came from this address. Good
 * ones are not held up by it: behind one address there may be a whole town.
 */
export function failedRefresh(context: Context, address: string): Promise<void> {
  return throttle(context, 'signInAddress', networkOf(address));
}
