import type { Request, Response } from 'express';
import type { Context } from '../../../config/context.ts';
import {
  type MemberPassword,
  membersById,
} from '../../../domain/accounts/member/member-passwords.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { MINUTE_MS } from '../../../domain/shared/units.ts';
import { sealedCookie } from '../sealed-cookie.ts';

/** A cookie has room for so many. */
const MOST = 20;

const cookie = sealedCookie<{ members: { id: string; passwordSha256: string }[] }>('choice', {
  validMs: 5 * MINUTE_MS,
  longest: 4_000,
});

type Deps = Pick<Context, 'vault' | 'clock' | 'db'>;

export function offerChoice(deps: Deps, response: Response, members: readonly MemberPassword[]) {
  const offered = members
    .slice(0, MOST)
    .map(({ memberId: id, passwordHash }) => ({ id, passwordSha256: sha256Of(passwordHash) }));
  cookie.set(deps, response, { members: offered });
}

/** Finds only members whose password is still the one that was given. */
export async function offeredChoice(deps: Deps, request: Request): Promise<MemberPassword[]> {
  const choice = cookie.read(deps, request);
  if (!choice) return [];
  const passwords = new Map(choice.members.map((one) => [one.id, one.passwordSha256]));
  const members = await membersById(deps.db, [...passwords.keys()]);
  return members.filter((one) => passwords.get(one.memberId) === sha256Of(one.passwordHash));
}

export const clearChoice = cookie.clear;
