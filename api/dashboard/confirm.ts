import { acceptCode } from '../../domain/accounts/second-factor/second-factor.ts';
import { recordCode, type Session } from '../../domain/accounts/session/session.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { throttleCode } from '../auth/throttle.ts';
import type { DashboardRequest, FormValues } from './request.ts';

/** A code that was given within this time is not asked for again. */
const FRESH_MS = 15 * 60_000;

/** True when a form that sends money has to ask this member for a code. */
export function needsCode({ hasTotp, codeGivenAt }: Session, now: Date): boolean {
  return hasTotp && (codeGivenAt === null || now.getTime() - codeGivenAt.getTime() > FRESH_MS);
}

/**
 * Accepts the code of a form, where one is due. Throws 422 for `code` when it is missing or wrong,
 * 429 when too many were wrong.
 */
export async function confirmSecondFactor({
  context,
  session,
  values,
  address,
  now,
}: DashboardRequest & { values: FormValues }): Promise<void> {
  if (!needsCode(session, now)) return;
  const { code } = values;
  if (typeof code !== 'string' || code === '')
    throw invalid({ code: 'is needed: enter the code of your authenticator app' });
  const { memberId, familyId: known } = session;
  await throttleCode(context, { memberId, code, address, known }, () =>
    context.inTx(async (tx) => {
      await acceptCode(tx, session, code);
      await recordCode(tx, session);
    }),
  );
}
