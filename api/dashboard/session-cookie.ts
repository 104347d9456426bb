import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { formTokenOf, LONGEST_MS } from '../../domain/accounts/session/session.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { rememberSecret } from '../middleware/look-up-secret.ts';

const SESSION = 'session';
const NOTICE = 'notice';

/** The token of the request's session, or undefined. */
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

/** Leaves a notice, by its name, for the view a form leads to. */
export function setNotice(response: Response, name: string): void {
  setCookie(response, NOTICE, name, 60);
}

/** The notice left by the last form; it is shown once. */
export function takeNotice(request: Request, response: Response): string | undefined {
  const name = readCookie(request, NOTICE);
  if (name) setCookie(response, NOTICE, '', 0);
  return name;
}

/** The value of one of our cookies, or undefined. */
export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[prefixOf(request) + name];
}

/**
 * `__Host-`: browsers take these cookies over https alone, from this very host, for every path. Not
 * every browser takes them on localhost without https, where nobody else listens.
 */
function prefixOf({ secure }: Request): string {
  return secure ? '__Host-' : 'local-';
}

/** Sets a cookie that scripts and other sites cannot use. */
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

/** What a form acts in: a mode, or the steps of a sign-in. */
export type FormScope = Mode | 'sign-in';

/**
 * The hidden field of a form, good for that scope alone: a page that was opened in test mode
 * changes nothing in live mode. It differs each time, because answers are compressed, and the
 * length of a compressed secret beside a text of an attacker's choice gives the secret away
 * (BREACH).
 */
export function formField(sessionToken: string, scope: FormScope): string {
  const salt = randomBytes(8).toString('hex');
  return `${salt}.${sha256Of(`${salt} ${formTokenOf(sessionToken)} ${scope}`)}`;
}

/** True when a form carries the field of this session and scope. */
export function isFormOf(sessionToken: string, field: unknown, scope: FormScope): boolean {
  const [salt = '', given = ''] = typeof field === 'string' ? field.split('.') : [];
  const expected = Buffer.from(sha256Of(`${salt} ${formTokenOf(sessionToken)} ${scope}`));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
