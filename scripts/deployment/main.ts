import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runUntilStopped } from '../../config/main.ts';
import { until } from '../local/until.ts';
import { startDeployment } from './deployment.ts';
import { faultsOf, provoke } from './faults.ts';
import { readRoot } from './files.ts';
import { drawDashboard } from './pictures.ts';
import { askNow } from './prometheus.ts';
import { openShop } from './shop.ts';

/** By so much an alert waits less (`for`) in this run than in production. */
const SHORTENED = 12;

const ORDER_EVERY_MS = 500;
const ALL_PAID_WITHIN_MS = 3 * 60_000;
const HEALTHY_WITHIN_MS = 2 * 60_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

// What config/deploy describes, on this machine: five faults, and whether a mail tells of each.
await runUntilStopped(async (stopped) => {
  const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'payments-dashboard-')));
  await using scope = new AsyncDisposableStack();
  const programs: { name: string; tail(): Promise<string> }[] = [];
  print(
    'Starting PostgreSQL, Redis, two APIs, two workers, HAProxy, Prometheus and Alertmanager …',
  );
  const deployment = await startDeployment({ scope, programs }, await shortened());
  const { prometheusUrl } = deployment;
  const shop = await openShop(deployment);
  const broken = await openShop(deployment);
  const from = new Date();
  const [closing, over] = [new AbortController(), new AbortController()];
  scope.defer(() => [closing, over].forEach((each) => void each.abort()));
  const selling = shop.sell(ORDER_EVERY_MS, closing.signal, over.signal);
  await untilHealthy(prometheusUrl, stopped);
  print(`It sells at ${deployment.publicUrl}, and Prometheus reads all of it. Five faults:`);
  let isPaged = true;
  for (const fault of faultsOf(deployment, broken)) {
    stopped.throwIfAborted();
    const seconds = await provoke(fault, deployment, stopped);
    isPaged &&= seconds !== undefined;
    const outcome = seconds === undefined ? 'NO MAIL' : `mail after ${Math.round(seconds)} s`;
    print(`  ${fault.alert.padEnd(15)} ${outcome.padEnd(18)} ${fault.what}`);
  }
  closing.abort();
  setTimeout(() => over.abort(), ALL_PAID_WITHIN_MS).unref();
  const { ordered, refused, paid } = await selling;
  const files = await drawDashboard(prometheusUrl, { from, to: new Date() }, resolve(folder));
  print(`${ordered} charges ordered meanwhile, ${refused} refused, ${paid} paid.`);
  print(`The queries of the dashboard: ${files.join(', ')}`);
  if (!isPaged || refused > 0 || paid < ordered) process.exitCode = 1;
  print(process.exitCode === 1 ? 'NOT as it should be.' : 'All as it should be.');
});

async function shortened(): Promise<Record<string, string>> {
  const rules = await readRoot('config/observability/alerts.rules.yaml');
  const waits = [...rules.matchAll(/for: (\d+)([mh])\n/g)].map(([, count, unit]) => {
    const seconds = (Number(count) * (unit === 'h' ? 3_600 : 60)) / SHORTENED;
    return [`for: ${count}${unit}\n`, `for: ${seconds}s\n`];
  });
  return Object.fromEntries(waits);
}

async function untilHealthy(prometheusUrl: string, ended: AbortSignal): Promise<void> {
  const patience = { everyMs: 500, withinMs: HEALTHY_WITHIN_MS, ended };
  const areAllUp = async () => (await askNow(prometheusUrl, 'up == 1')).length === 4 || undefined;
  if (!(await until(patience, areAllUp))) throw new Error('Prometheus does not read all of it.');
}
