import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { MINUTE_MS } from '../../domain/shared/units.ts';
import { deviceOf } from './device-cookie.ts';
import type { DashboardRequest, Form, FormValues, Refused } from './request.ts';
import { sealedCookie } from './sealed-cookie.ts';
import { isFormOf, sessionTokenOf } from './session-cookie.ts';

interface UnsentForm {
  memberId: string;
  mode: Mode;
  /** Of the view that shows it. */
  path: string;
  form: string;
  values: FormValues;
}

/** A form too long for a cookie is not kept. */
const cookie = sealedCookie<UnsentForm>('unsent-form', {
  validMs: 15 * MINUTE_MS,
  longest: 3_900,
});

/**
 * Keeps what was typed into a form whose session has ended, without secrets, for its member.
 * Returns the mode that it was for.
 */
export function keepUnsent(
  context: Context,
  request: Request,
  response: Response,
  { path, form }: { path: string; form: Form },
): Mode | undefined {
  const { csrf, idempotency_key: _, code: __, ...values } = (request.body ?? {}) as FormValues;
  const token = sessionTokenOf(request);
  const mode = (['live', 'test'] as const).find((one) => token && isFormOf(token, csrf, one));
  // The row of the session may be gone; its member was the last to sign in here.
  const memberId = deviceOf(context, request)?.memberIds[0];
  if (!mode || !memberId || form.hasSecrets) return undefined;
  cookie.set(context, response, { memberId, mode, path, form: request.path, values });
  return mode;
}

/** The form that the view shows filled again, once, in the mode that it was for. Never sent. */
export async function takeUnsent(
  { context, session, path }: DashboardRequest,
  request: Request,
  response: Response,
): Promise<Refused | undefined> {
  const unsent = cookie.read(context, request);
  if (unsent?.memberId !== session.memberId || unsent.path !== path) return undefined;
  if (unsent.mode !== session.mode) return undefined;
  cookie.clear(response);
  const { form, values } = unsent;
  const message =
    'Your session had ended, so nothing was sent. Check what you typed, and send it again.';
  return { form, values, code: 'unauthorized', message, fields: {} };
}
