import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { formTokenOf, LONGEST_MS } from '../../domain/accounts/session/session.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { rememberSecret } from '../middleware/look-up-secret.ts';

const SESSION = 'session';
const NOTICE = 'notice';

export function sessionTokenOf(request: Request): string | undefined {
  const token = readCookie(request, SESSION);
  return token && /^[0-9a-z]{40}$/.test(token) ? token : undefined;
}

export function setSession(response: Response, token: string): void {
  rememberSecret(token);
  setCookie(response, SESSION, token, LONGEST_MS / 1_000);
}

export function clearSession(response: Response): void {
  setCookie(response, SESSION, '', 0);
}

export function setNotice(response: Response, name: string): void {
  setCookie(response, NOTICE, name, 60);
}

/** Shown once. */
export function takeNotice(request: Request, response: Response): string | undefined {
  const name = readCookie(request, NOTICE);
  if (name) setCookie(response, NOTICE, '', 0);
  return name;
}

export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[prefixOf(request) + name];
}

/**
 * `__Host-`: https alone, this very host. Not every browser takes it on localhost without https.
 */
function prefixOf({ secure }: Request): string {
  return secure ? '__Host-' : 'local-';
}

/** Scripts and other sites cannot use it. */
export function setCookie(response: Response, name: string, value: string, maxAge: number): void {
  response.append(
    'Set-Cookie',
    stringifySetCookie({
      name: prefixOf(response.req) + name,
      value,
      maxAge,
      path: '/',
      secure: response.req.secure,
      httpOnly: true,
      sameSite: 'lax',
    }),
  );
}

export type FormScope = Mode | 'sign-in';

/**
 * The hidden field of a form, good for that scope alone: a page of test mode changes nothing in
 * live mode. It differs each time, or the length of a compressed answer would give it away
 * (BREACH).
 */
export function formField(sessionToken: string, scope: FormScope): string {
  const salt = randomBytes(8).toString('hex');
  return `${salt}.${sha256Of(`${salt} ${formTokenOf(sessionToken)} ${scope}`)}`;
}

export function isFormOf(sessionToken: string, field: unknown, scope: FormScope): boolean {
  const [salt = '', given = ''] = typeof field === 'string' ? field.split('.') : [];
  const expected = Buffer.from(sha256Of(`${salt} ${formTokenOf(sessionToken)} ${scope}`));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
