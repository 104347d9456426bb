import { parseSetCookie } from 'cookie';
import { formField } from '../../api/dashboard/session-cookie.ts';
import type { MemberRole } from '../../domain/accounts/roles.ts';
import { beginSession } from '../../domain/accounts/session/begin-session.ts';
import { newId } from '../../domain/shared/ids.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { unescaped } from './html.ts';
import { insertRow } from './insert-row.ts';
import type { Stack } from './stack.ts';

export type Page = Awaited<ReturnType<DashboardBrowser['get']>>;
export type DashboardBrowser = ReturnType<typeof dashboardBrowser>;
type Fields = Record<string, string>;

/** A browser without scripts: it keeps cookies and submits forms as they were shown. */
export function dashboardBrowser(publicUrl: string) {
  const root = `${publicUrl}/dashboard`;
  const cookies = new Map<string, string>();
  let last = '';

  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(`${root}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const text of response.headers.getSetCookie()) {
      const { name, value, maxAge } = parseSetCookie(text);
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value ?? '');
    }
    const html = await response.text();
    if (response.status !== 303) last = html;
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      html,
      /** Where it leads, below `/dashboard`; null for a page that is shown. */
      location: location?.replace(/^.*?\/dashboard/, '') ?? null,
    };
  };

  const get = (path: string, headers: Fields = {}) => send(path, { headers });
  const post = (path: string, fields: Fields = {}, headers: Fields = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  /** Posts, and shows the page to which the answer leads. */
  const postAndFollow = async (path: string, fields: Fields) => {
    const { location, ...page } = await post(path, fields);
    return location === null ? { location, ...page } : get(location);
  };
  /** Posts the form with this action of the last page, with its hidden fields. */
  const submit = (action: string, fields: Fields = {}) =>
    post(action, { ...hiddenFields(last, `/dashboard${action}`), ...fields });
  return {
    cookies,
    get,
    post,
    postAndFollow,
    submit,
    upload: (path: string, form: FormData, headers: Fields = {}) =>
      send(path, { method: 'POST', body: form, headers }),
    /** Signs in with a password; further steps are the caller's. */
    signIn: async ({ email, password }: { email: string; password: string }) => {
      await get('/sign-in');
      return submit('/sign-in', { email, password });
    },
  };
}

export function hiddenFields(html: string, action: string): Fields {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
    ([, address]) => unescaped(address!) === action,
  );
  if (!form) throw new Error(`The page has no form for ${action}.`);
  return Object.fromEntries(
    [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name!, unescaped(value!)],
    ),
  );
}

const SESSION_COOKIE = 'local-session';

export async function dashboardMember(
  { context }: Pick<Stack, 'context'>,
  tenant: { tenant_id: string },
  role: MemberRole,
) {
  const memberId = newId('mem', context.clock());
  const email = `${memberId}@test.example`;
  const passwordHash = 'none';
  const member = { id: memberId, tenant_id: tenant.tenant_id, email, role };
  const more = { password_hash: passwordHash, created_at: context.clock() };
  await insertRow({ context }, 'members', { ...member, ...more });
  const begun = await context.inTx((tx) =>
    beginSession(
      tx,
      { memberId, tenantId: tenant.tenant_id, passwordHash },
      { userAgent: 'test', network: '127.0.0.1' },
    ),
  );
  const browser = dashboardBrowser(context.env.publicUrl);
  browser.cookies.set(SESSION_COOKIE, begun!.token);
  return { ...browser, memberId, email };
}

/** The hidden field that forms of this browser's session carry, whether they are shown or not. */
export function csrfOf({ cookies }: DashboardBrowser, mode: Mode = 'test'): string {
  return formField(cookies.get(SESSION_COOKIE)!, mode);
}

/** What a list says of how many there are. */
export function totalIn(html: string): string {
  return unescaped(/class="list-total"[^>]*>(.*?)<\/p>/.exec(html)![1]!.replaceAll(/<[^>]*>/g, ''));
}
