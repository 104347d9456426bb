import { expect } from 'chai';
import { exports } from '../../../api/dashboard/exports/exports.ts';
import { shareLines, stackedBars } from '../../../api/dashboard/overview/charts.ts';
import { views } from '../../../api/dashboard/views.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { filledPath, rowsOfEachKind } from '../../support/dashboard-rows.ts';
import { unescaped } from '../../support/html.ts';
import { useStack } from '../../support/stack.ts';

const HOSTILE = `<script>x9</script>"><img src=x9 onerror=x9>'x9' javascript:x9 {{x9}} <%= x9 %> &lt;b&gt;`;

const columns = {
  charges: ['merchant_reference', 'email', 'name', 'phone', 'description', 'failure_message'],
  refunds: ['reason', 'rejection_reason', 'failure_message', 'attention'],
  payment_links: ['description'],
  reviews: ['detail'],
  discrepancies: ['detail', 'close_reason', 'reference'],
  timeline_entries: ['detail'],
  members: ['email', 'name'],
  tenants: ['name'],
  webhook_endpoints: ['url'],
  api_keys: ['name'],
  delivery_tries: ['answer', 'error'],
  audit_entries: ['detail'],
  request_log: ['path', 'error'],
  dashboard_sessions: ['user_agent'],
} as const;

const markOf = (table: string, column: string) => `${HOSTILE} ${table}.${column}`;

function expectText(html: string, path: string): void {
  expect(html, path).not.to.match(/<script>x9|<img src=x9|"><img|<%=|<b>/i);
  expect(html, path).not.to.match(/(?:href|src|action|formaction)\s*=\s*"\s*javascript:/i);
  expect(html, path).not.to.match(/\son\w+\s*=\s*["']/i);
}

describe('Texts of merchants and providers', () => {
  const stack = useStack({ workers: false });
  let owner: DashboardBrowser;
  let ids: Record<string, string>;
  before(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
    ids = await rowsOfEachKind(stack);
    await fill();
  });

  async function fill(): Promise<void> {
    const { db, vault, clock, requestLog } = stack.context;
    await requestLog.flush();
    const { tenant_id: tenant } = stack.tenant;
    await db.query(
      `insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, status_code)
       values ($1, $2, 1, $3, 1, null)`,
      [ids.delivery, ids['developers id'], clock()],
    );
    await db.query('update charges set failure_cause = null');
    for (const [table, names] of Object.entries(columns))
      for (const name of names)
        await db.query(
          `update ${table} set ${name} = $1${table === 'members' ? " || ' ' || id" : ''}`,
          [markOf(table, name)],
        );
    await db.query('update charges set metadata = $1', [
      JSON.stringify({ [markOf('metadata', 'key')]: markOf('metadata', 'value') }),
    ]);
    const [{ charge_id: row }] = (await stack.sql`select charge_id from evidence`) as [any];
    const message = JSON.stringify({ message: markOf('evidence', 'payload') });
    const payload = vault.seal(message, { table: 'evidence', row, tenant, mode: 'test' });
    await stack.sql`update evidence set payload = ${payload}`;
  }

  const shown = new Set<string>();
  const remember = (html: string) => {
    for (const [, where] of unescaped(html).matchAll(/&lt;b&gt; (\w+\.\w+)/g)) shown.add(where!);
  };

  const filters: Record<string, string[]> = { '/refunds': ['?status=all'] };
  for (const { path } of views)
    it(`stay text in ${path}`, async () => {
      for (const query of ['', ...(filters[path] ?? [])]) {
        const { status, html } = await owner.get(filledPath(path, ids) + query);
        expect(status).to.equal(200);
        expectText(html, path + query);
        remember(html);
      }
    });

  it('stay text in the fields of a form that is refused, and in a search', async () => {
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

  it('are shown as they were written', () => {
    const wanted = ['metadata.key', 'metadata.value', 'evidence.payload'];
    for (const [table, names] of Object.entries(columns))
      wanted.push(...names.map((name) => `${table}.${name}`));
    expect(wanted.filter((where) => !shown.has(where))).to.deep.equal([]);
  });

  it('stay text in charts', async () => {
    const points = [{ day: '2026-01-01', series: HOSTILE, value: 1, text: HOSTILE }];
    const chart = { points, days: ['2026-01-01'], description: HOSTILE };
    for (const svg of [await stackedBars(chart), await shareLines(chart)]) {
      expectText(svg, 'a chart');
      expect(svg).to.include('&lt;script');
    }
  });

  it('are files for a spreadsheet in exports, never pages', async () => {
    for (const file of exports) {
      const { headers, html } = await owner.get(filledPath(file.path, ids));
      expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-disposition')).to.match(/^attachment; filename="[\w.-]+"$/);
      expect(html.slice(1).split('\n')[0]).to.match(/^[a-z_,]+$/);
    }
  });
});
