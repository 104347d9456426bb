import type { Request, Response } from 'express';
import type { Context } from '../../../config/context.ts';
import {
  type MemberPassword,
  membersById,
} from '../../../domain/accounts/member/member-passwords.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { readCookie, setCookie } from '../session-cookie.ts';

const CHOICE = 'choice';
/** As long as somebody takes to pick a business from a list. */
const VALID_MS = 5 * 60_000;
/** What a cookie has room for. */
const MOST = 20;
const LONGEST = 4_000;
const OWNER = { table: 'choice cookie', row: '', tenant: '', mode: 'both' };

/** What the cookie says, sealed: nobody but this service can make one. */
interface Choice {
  members: { id: string; passwordSha256: string }[];
  validUntil: number;
}

type Deps = Pick<Context, 'vault' | 'clock' | 'db'>;

/** Remembers for whom this browser gave the right password, until it chooses one of them. */
export function offerChoice(
  { vault, clock }: Deps,
  response: Response,
  members: readonly MemberPassword[],
): void {
  const choice: Choice = {
    members: members.slice(0, MOST).map(({ memberId, passwordHash }) => ({
      id: memberId,
      passwordSha256: sha256Of(passwordHash),
    })),
    validUntil: clock().getTime() + VALID_MS,
  };
  setCookie(response, CHOICE, vault.seal(JSON.stringify(choice), OWNER), VALID_MS / 1_000);
}

/** The members whose password this browser gave just now, if it is still theirs. */
export async function offeredChoice(
  { vault, clock, db }: Deps,
  request: Request,
): Promise<MemberPassword[]> {
  const sealed = readCookie(request, CHOICE);
  if (!sealed || sealed.length > LONGEST) return [];
  let choice: Choice;
  try {
    choice = JSON.parse(vault.open(sealed, OWNER));
  } catch {
    return [];
  }
  if (choice.validUntil <= clock().getTime()) return [];
  const passwords = new Map(choice.members.map((one) => [one.id, one.passwordSha256]));
  const members = await membersById(db, [...passwords.keys()]);
  return members.filter((one) => passwords.get(one.memberId) === sha256Of(one.passwordHash));
}

export function clearChoice(response: Response): void {
  setCookie(response, CHOICE, '', 0);
}
