import type { Request } from 'express';
import type { Context } from '../../config/context.ts';
import { findSession } from '../../domain/accounts/session/session.ts';
import { lookUpSecret } from '../middleware/look-up-secret.ts';
import type { SignedIn } from './request.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** Finds it in any status. Throws 429 where too many unknown cookies came from the network. */
export async function findSignedIn(
  context: Context,
  request: Request,
): Promise<SignedIn | undefined> {
  const token = sessionTokenOf(request);
  if (!token) return undefined;
  const shown = { secret: token, address: request.ip ?? '' };
  const session = await lookUpSecret(context, shown, () =>
    findSession(context.db, token, context.clock()),
  );
  return session && { token, session };
}
