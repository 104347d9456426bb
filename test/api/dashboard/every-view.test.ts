import { expect } from 'chai';
import { exports } from '../../../api/dashboard/exports/exports.ts';
import { shareLines, stackedBars } from '../../../api/dashboard/overview/charts.ts';
import { render } from '../../../api/dashboard/render.ts';
import type { Form } from '../../../api/dashboard/request.ts';
import { views } from '../../../api/dashboard/views.ts';
import {
  isAllowed,
  type MemberRole,
  memberRoles,
  type Permission,
} from '../../../domain/accounts/roles.ts';
import { Charge } from '../../../domain/payments/entities/charge.ts';
import { payerColumns } from '../../../domain/shared/payer-data.ts';
import {
  csrfOf,
  type DashboardBrowser,
  dashboardBrowser,
  dashboardMember,
  type Page,
} from '../../support/dashboard.ts';
import { enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { filledPath, isLiveOnly, rowsOfEachKind } from '../../support/dashboard-rows.ts';
import { unescaped } from '../../support/html.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const HOSTILE = `<script>x9</script>"><img src=x9 onerror=x9>'x9' javascript:x9 {{x9}} <%= x9 %> &lt;b&gt;`;

/** The return address is the browser's, and `metadata` has marks of its own. */
const shownOfPayer = Object.keys(payerColumns(Charge)).filter(
  (column) => column !== 'return_url' && column !== 'metadata',
);

const hostileColumns = {
  charges: ['merchant_reference', 'failure_message', ...shownOfPayer],
  refunds: ['reason', 'rejection_reason', 'failure_message', 'attention'],
  payment_links: ['description'],
  reviews: ['detail'],
  disputes: ['reason'],
  discrepancies: ['detail', 'close_reason', 'reference'],
  timeline_entries: ['detail'],
  members: ['email', 'name'],
  tenants: ['name'],
  webhook_endpoints: ['url'],
  api_keys: ['name'],
  delivery_tries: ['answer', 'error'],
  audit_entries: ['detail'],
  request_log: ['path', 'error', 'body', 'answer'],
  dashboard_sessions: ['user_agent'],
} as const;

const markOf = (table: string, column: string) => `${HOSTILE} ${table}.${column}`;

/** Which of our columns a view or a file shows. */
const columnsIn = (html: string) =>
  [...unescaped(html).matchAll(/&lt;b&gt; (\w+\.\w+)/g)].map(([, column]) => column!);

function expectNothingOfOurs({ html }: Page, path: string, besides = /^$/): void {
  const columns = columnsIn(html).filter((column) => !besides.test(column));
  expect(columns, path).to.deep.equal([]);
}

function expectText(html: string, path: string): void {
  expect(html, path).not.to.match(/<script>x9|<img src=x9|"><img|<%=|<b>/i);
  expect(html, path).not.to.match(/(?:href|src|action|formaction)\s*=\s*"\s*javascript:/i);
  expect(html, path).not.to.match(/\son\w+\s*=\s*["']/i);
}

/** Every field of any form, so that what is refused is refused for the member, not for a field. */
const values = {
  email: 'new@member.example',
  role: 'viewer',
  name: 'A name',
  time_zone: 'Africa/Lagos',
  amount: '100.00',
  description: 'Two tickets',
  reason: 'A reason',
  kind: 'secret',
  url: 'http://127.0.0.1:9/hook',
  event_types: 'charge.succeeded',
  since: '2026-01-31T09:00:00Z',
  to: 'up',
  overlap_hours: '24',
  provider: 'provider_a',
  code: '123456',
};

const forms = views.flatMap((view) => view.forms);
/** Sessions are a member's own. */
const questions = forms.filter(
  (form) => form.ask && !form.path.startsWith('/account/sessions/') && !isLiveOnly(form),
);
const places = [...views, ...questions, ...exports];

/** The forms of a page that change something, without those of its frame. */
function formsIn(html: string): Form[] {
  const [, main = ''] = html.split('<main');
  const actions = [...main.matchAll(/ (?:form)?action="\/dashboard([^"?]*)"/g)];
  return actions.flatMap(([, action]) =>
    forms.filter(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(action!)),
  );
}

const permits = (role: MemberRole, permission: Permission | 'any member') =>
  permission === 'any member' || isAllowed(role, permission);

describe('Every view of the dashboard', () => {
  const stack = useStack({ workers: false, books: false });
  let owner: DashboardBrowser & { email: string };
  let own: Record<MemberRole, DashboardBrowser>;
  let stranger: DashboardBrowser;
  let ids: Record<string, string>;
  /** What was shown once, as what, and what each place shows afterwards. */
  let secrets: Record<string, string>;
  let withoutSecrets: Map<string, Page>;
  /** What each place shows of hostile texts. */
  let withTexts: Map<string, Page>;
  before(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
    ids = await rowsOfEachKind(stack);
    secrets = await makeSecrets();
    withoutSecrets = await walk();
    await fillWithHostileTexts();
    withTexts = await walk();
    own = {} as typeof own;
    for (const role of memberRoles) own[role] = await dashboardMember(stack, stack.tenant, role);
    stranger = await dashboardMember(stack, await stack.newTenant(), 'owner');
  });

  const filled = (path: string) => filledPath(path, ids);
  const nobody = () => dashboardBrowser(stack.context.env.publicUrl);

  async function walk(): Promise<Map<string, Page>> {
    const pages = new Map<string, Page>();
    for (const { path } of places) {
      pages.set(path, await owner.get(filled(path) + (path === '/refunds' ? '?status=all' : '')));
      expect(pages.get(path)!.status, path).to.equal(200);
    }
    return pages;
  }

  async function makeSecrets(): Promise<Record<string, string>> {
    const post = async (path: string, pattern: RegExp, fields: Record<string, string> = {}) => {
      const sent = { csrf: csrfOf(owner), ...fields };
      const { status, html } = await owner.postAndFollow(filled(path), sent);
      expect(status, html).to.equal(200);
      expect(unescaped(html)).to.match(pattern);
      return pattern.exec(unescaped(html))![0];
    };
    const [whsec, link] = [/whsec_[\w+/=]{44}/, /set-password\/[0-9a-z]{40}/];
    const endpoint = { url: 'http://127.0.0.1:9/other', event_types: 'charge.succeeded' };
    const key = { kind: 'secret', name: 'Shop' };
    const made = {
      'an API key': await post('/developers/keys/new', /svc_sk_test_[0-9a-z]{36}/, key),
      'a webhook secret': await post('/developers/endpoints', whsec, endpoint),
      'a webhook secret after another': await post(
        '/developers/endpoints/:id/rotate-secret',
        whsec,
      ),
      'a set-password link': await post('/members', link, {
        email: 'ada@shop.example',
        role: 'viewer',
      }),
    };
    const [ada] = await stack.sql`select id from members where email = 'ada@shop.example'`;
    const { secret, recoveryCodes } = await enrolAuthenticator(stack, owner);
    return {
      ...made,
      'a set-password link after another': await post(`/members/${ada.id}/link`, link),
      'the secret of an authenticator': secret,
      'a recovery code': recoveryCodes[0]!,
      'the token of a session': owner.cookies.get('local-session')!,
    };
  }

  async function fillWithHostileTexts(): Promise<void> {
    const { db, vault, requestLog } = stack.context;
    await requestLog.flush();
    const { tenant_id: tenant } = stack.tenant;
    await stack.sql`insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms)
      values (${ids.delivery}, ${ids['developers id']}, 1, ${stack.clock()}, 1)`;
    await stack.sql`update charges set failure_cause = null`;
    for (const [table, names] of Object.entries(hostileColumns))
      for (const name of names)
        await db.query(
          `update ${table} set ${name} = $1${table === 'members' ? " || ' ' || id" : ''}`,
          [markOf(table, name)],
        );
    const metadata = { [markOf('metadata', 'key')]: markOf('metadata', 'value') };
    await stack.sql`update charges set metadata = ${JSON.stringify(metadata)}`;
    const [{ charge_id: row }] = await stack.sql`select charge_id from evidence`;
    const message = JSON.stringify({ message: markOf('evidence', 'payload') });
    const payload = vault.seal(message, { table: 'evidence', row, tenant, mode: 'test' });
    await stack.sql`update evidence set payload = ${payload}`;
  }

  it('shows no secret but in the answer that made it, in any letter case', () => {
    for (const [path, { html }] of withoutSecrets)
      for (const [what, secret] of Object.entries(secrets))
        expect(unescaped(html).toLowerCase(), `${what} in ${path}`).not.to.include(
          secret.toLowerCase(),
        );
  });

  it('shows no secret of an authenticator again to whoever enrols another', async () => {
    const prepared = await owner.post('/account/authenticator', { csrf: csrfOf(owner) });
    expect(prepared.status).to.equal(409);
    for (const secret of Object.values(secrets)) expect(prepared.html).not.to.include(secret);
  });

  it('is stored by nobody on the way', () => {
    for (const [path, { headers }] of withoutSecrets)
      expect(headers.get('cache-control'), path).to.equal('no-store');
  });

  it('shows texts of merchants and providers as text, as they were written', () => {
    const shown = [...views, ...questions].map(
      ({ path }) => [path, withTexts.get(path)!.html] as const,
    );
    for (const [path, html] of shown) expectText(html, path);
    const wanted = Object.entries(hostileColumns).flatMap(([table, names]) =>
      names.map((name) => `${table}.${name}`),
    );
    const columns = shown.flatMap(([, html]) => columnsIn(html));
    expect(columns).to.include.members(wanted);
    expect(columns).to.include.members(['metadata.key', 'metadata.value', 'evidence.payload']);
  });

  it('shows them as text in the fields of a form that is refused, and in a search', async () => {
    const fields = { amount: HOSTILE, description: HOSTILE, name: HOSTILE };
    const refused = await owner.post('/payment-links', { csrf: csrfOf(owner), ...fields });
    expect(refused.status).to.equal(422);
    expect(unescaped(refused.html)).to.include(HOSTILE);
    expectText(refused.html, 'a refused form');
    for (const path of ['/search?q=', '/transactions?customer=', '/refunds?reference=']) {
      const page = await owner.get(path + encodeURIComponent(HOSTILE));
      expectText(page.html, path);
    }
  });

  it('shows them as text in charts', () => {
    const points = [{ day: '2026-01-01', series: HOSTILE, value: 1, text: HOSTILE }];
    const chart = { points, days: ['2026-01-01'], description: HOSTILE };
    for (const drawing of [stackedBars(chart), shareLines(chart)]) {
      const svg = render('parts/chart', { chart: drawing });
      expectText(svg, 'a chart');
      expect(svg).to.include('&lt;script');
    }
  });

  it('exports files for a spreadsheet, of plain text, or to print, never pages', () => {
    const formats = {
      csv: ['text/csv; charset=utf-8', /^[a-z0-9_,]+\n/],
      txt: ['text/plain; charset=utf-8', /^; /],
      pdf: ['application/pdf', /^%PDF-/],
    } as const;
    for (const { path } of exports) {
      const { headers, html } = withTexts.get(path)!;
      const [type, start] = formats[path.slice(-3) as keyof typeof formats];
      expect(headers.get('content-type')).to.equal(type);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-disposition')).to.match(/^attachment; filename="[\w.-]+"$/);
      expect(html).to.match(start);
    }
  });

  it('leads to the sign-in without a session', async () => {
    for (const { path } of places) {
      const page = await nobody().get(filled(path));
      expect(page.status, path).to.equal(303);
      expect(page.location, path).to.match(/^\/sign-in/);
      expectNothingOfOurs(page, path);
    }
  });

  for (const role of memberRoles)
    it(`is shown to a member with the role ${role} who may, with no form but those they may send`, async () => {
      const shown = new Set<string>();
      for (const { path, permission } of places) {
        const page = await own[role].get(filled(path));
        const allowed = permits(role, permission);
        expect(page.status, path).to.equal(allowed ? 200 : 403);
        if (!allowed) expectNothingOfOurs(page, path);
        else
          for (const form of formsIn(page.html)) {
            expect(permits(role, form.permission), `${form.path} in ${path}`).to.equal(true);
            shown.add(form.path);
          }
      }
      expect(shown).to.include('/account/sessions/:id/end');
    });

  it('shows another business, and the other mode, nothing', async () => {
    const live = await dashboardMember(stack, stack.tenant, 'owner');
    await live.post('/mode', { csrf: csrfOf(live) });
    const inLiveToo = /^(tenants|members|dashboard_sessions|audit_entries|request_log|api_keys)\./;
    for (const { path } of places) {
      for (const [browser, besides] of [[stranger], [live, inLiveToo]] as const) {
        const isTheirs = browser === live && path.startsWith('/members/');
        const status = path.includes(':') && !isTheirs ? 404 : 200;
        const page = await browser.get(filled(path));
        expect(page.status, path).to.equal(status);
        expectNothingOfOurs(page, path, besides);
      }
    }
  });

  const evil = { origin: 'https://evil.example' };
  const submit = (
    browser: DashboardBrowser,
    { path, file }: Form,
    csrf = csrfOf(browser),
    more = {},
  ) => {
    if (file === undefined) return browser.post(filled(path), { ...values, csrf }, more);
    const form = new FormData();
    for (const [name, value] of Object.entries({ csrf, details: 'Two.' })) form.set(name, value);
    return browser.upload(filled(path), form, more);
  };
  const refusals: [
    what: string,
    status: number,
    send: (form: Form) => Promise<Page>,
    isMeant?: (form: Form) => boolean,
  ][] = [
    ['without a session', 303, (form) => submit(nobody(), form, 'none')],
    ['without the field of a session', 403, (form) => submit(own.owner, form, '')],
    ['with that of another session', 403, (form) => submit(own.owner, form, csrfOf(stranger))],
    ['that another site sends', 403, (form) => submit(own.owner, form, csrfOf(own.owner), evil)],
    [
      'about something of another business',
      404,
      (form) => submit(stranger, form),
      ({ path }) => path.includes(':'),
    ],
    ...memberRoles
      .filter((role) => role !== 'owner')
      .map((role): (typeof refusals)[number] => [
        `of a member with the role ${role} who may not`,
        403,
        (form) => submit(own[role], form),
        ({ permission }) => !permits(role, permission),
      ]),
  ];
  for (const [what, status, send, isMeant = () => true] of refusals)
    it(`changes nothing for a form ${what}`, () =>
      writingNothing(stack, async () => {
        for (const form of forms.filter(isMeant)) {
          const page = await send(form);
          expect(page.status, form.path).to.equal(status);
          expectNothingOfOurs(page, form.path);
        }
      }));
});
