import { acceptCode } from '../../domain/accounts/second-factor/second-factor.ts';
import { recordCode, type Session } from '../../domain/accounts/session/session.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { throttleCode } from '../auth/throttle.ts';
import type { DashboardRequest, FormValues } from './request.ts';

const FRESH_MS = 15 * 60_000;

export function needsCode({ hasTotp, codeGivenAt }: Session, now: Date): boolean {
  return hasTotp && (codeGivenAt === null || now.getTime() - codeGivenAt.getTime() > FRESH_MS);
}

/** Throws 422 for a missing or wrong `code` where one is due, 429 after too many. */
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
