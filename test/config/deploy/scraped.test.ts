import { spawnSync } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setFaults } from '../../../scripts/bench/sandbox.ts';
import { type Deployment, startDeployment } from '../../../scripts/deployment/deployment.ts';
import { spoilCredentials } from '../../../scripts/deployment/faults.ts';
import { drawDashboard } from '../../../scripts/deployment/pictures.ts';
import { askNow, readPanels } from '../../../scripts/deployment/prometheus.ts';
import { openShop } from '../../../scripts/deployment/shop.ts';
import { readRules } from '../../support/alert-rules.ts';
import { RARELY_MS, until } from '../../support/until.ts';

const tools = [
  'haproxy',
  'redis-server',
  'psql',
  'openssl',
  'prometheus',
  'prometheus-alertmanager',
];

/** Rules whose expressions have no series while what they tell of does not happen. */
const reasons: Record<string, string> = {
  ApiErrors: 'no request is answered 5xx',
  BackupOld: 'no backup tells the database of itself',
  MailStuck: 'no mail is refused',
};

describe('What Prometheus reads of two APIs and two workers', function () {
  this.timeout(300_000);
  const scope = new AsyncDisposableStack();
  let deployment: Deployment;
  before(async function () {
    const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
    if (missing.length > 0) {
      process.stdout.write(`\n*** No ${missing}: what Prometheus reads is SKIPPED. ***\n`);
      return this.skip();
    }
    deployment = await startDeployment(
      { scope, programs: [] },
      { '15s': '1s', 'interval: 1m': 'interval: 1s' },
    );
    await setFaults(deployment.sandboxUrl, { provider: 'paystack', error_rate: 0.2 });
    const closing = new AbortController();
    scope.defer(() => closing.abort());
    const shop = await openShop(deployment, 'http://127.0.0.1:1/nobody');
    const selling = shop.sell(500, closing.signal, closing.signal);
    scope.defer(async () => {
      closing.abort();
      await selling;
    });
    await failRow();
  });
  after(() => scope.disposeAsync());

  async function failRow(): Promise<void> {
    const shop = await openShop(deployment);
    await spoilCredentials(deployment, shop);
    await shop.order();
    const failed = `update attempts set failures = 9, due_at = now() + interval '1 day'
                    where connection_id = $1 and failures > 0 returning id`;
    await until('a try that fails', async () => {
      return (await deployment.query(failed, [shop.connectionId])).length > 0;
    });
  }

  const hasSeries = (name: string, expr: string) =>
    until(
      `a series of ${name}: ${expr}`,
      async () => (await askNow(deployment.prometheusUrl, expr)).length > 0,
      RARELY_MS,
    );

  it('is every series that rules are made of', async () => {
    const rules = await readRules();
    expect(rules.map(({ alert }) => alert)).to.include.members(Object.keys(reasons));
    for (const { alert, record, expr } of rules) {
      if (alert && reasons[alert]) continue;
      const measured = expr.replaceAll(/ (>|<|==) [\d.]+/g, '').replaceAll('absent(', '(');
      await hasSeries(alert ?? record!, measured);
    }
  });

  it('is every series of the Grafana dashboard', async () => {
    for (const { title, targets } of await readPanels())
      for (const { expr } of targets) await hasSeries(title, expr);
  });

  it('can be drawn: each panel of the dashboard has a line', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'payments-drawn-'));
    const from = new Date(Date.now() - 60_000);
    // Points are seconds apart: what was read a moment ago may lie behind the last one.
    await until(
      'a line in each panel',
      async () => {
        const span = { from, to: new Date() };
        const [page] = await drawDashboard(deployment.prometheusUrl, span, temporary.path);
        const sections = (await readFile(page!, 'utf8')).split('<section>').slice(1);
        expect(sections).to.have.length((await readPanels()).length);
        return sections.every((section) => /<polyline points="\d/.test(section));
      },
      RARELY_MS,
    );
  });
});
