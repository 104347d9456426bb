import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectOk, rootFile, startReady } from '../bench/processes.ts';
import { askNow } from '../deployment/prometheus.ts';
import { freePort } from '../local/free-port.ts';
import { run } from '../local/run-as.ts';
import { until } from '../local/until.ts';
import { type ChaosStack, type ServiceName, services } from './stack.ts';

/** What somebody on call sees of the service, from when it is watched until then. */
export interface OperatorsSaw {
  /** Answers of `/readyz`, or why there was none, and how many; of both APIs, both workers. */
  readiness: Record<'api' | 'workers', Record<string, number>>;
  /** The alerts of config/observability. Undefined: there is no Prometheus on this machine. */
  alerts?: Record<string, 'pending' | 'firing'> | undefined;
  /** Lines at `warn` and `error` by message, the most frequent first. */
  log: LogLines[];
}

export interface LogLines {
  level: 'warn' | 'error';
  message: string;
  count: number;
  /** The first line's error. */
  first: string;
}

const LOOKS_EVERY_MS = 2_000;
/** Longer than a process takes to find that a store is silent. */
const ANSWERS_WITHIN_MS = 5_000;
/** Four looks of Prometheus. */
const CALM_WITHIN_MS = 60_000;

export type Watch = Awaited<ReturnType<typeof openWatch>>;

/** Lets a Prometheus with the service's own rules follow the four processes from now on. */
export async function openWatch(scope: AsyncDisposableStack, stack: ChaosStack) {
  const prometheus = await startPrometheus(scope, stack);
  if (prometheus) await untilCalm(prometheus);
  return {
    /** Watches while `fault` lasts. */
    async during(fault: () => Promise<void>): Promise<OperatorsSaw> {
      const starts = await Promise.all(services.map((name) => sizeOf(stack.logs[name])));
      const readiness: OperatorsSaw['readiness'] = { api: {}, workers: {} };
      const alerts: OperatorsSaw['alerts'] = prometheus ? {} : undefined;
      const over = new AbortController();
      const looking = (async () => {
        while (!over.signal.aborted) {
          await Promise.all(services.map((name) => lookAt(stack, name, readiness)));
          if (prometheus && alerts) await lookForAlerts(prometheus, alerts);
          await pause(LOOKS_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
        }
      })();
      await fault().finally(() => over.abort());
      await looking;
      const texts = await Promise.all(
        services.map(async (name, n) =>
          (await readFile(stack.logs[name])).subarray(starts[n]).toString(),
        ),
      );
      return { readiness, alerts, log: troubleIn(texts.join('\n')) };
    },
  };
}

const sizeOf = async (file: string) => (await stat(file)).size;

async function lookAt(
  { probeUrls }: ChaosStack,
  name: ServiceName,
  readiness: OperatorsSaw['readiness'],
): Promise<void> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const seen = await fetch(`${probeUrls[name]}/readyz`, { signal })
    .then(async (response) => {
      const { checks = {} } = (await response.json()) as { checks?: Record<string, boolean> };
      const failing = Object.entries(checks).filter(([, passes]) => !passes);
      return [response.status, ...failing.map(([check]) => `${check}: false`)].join(' ');
    })
    .catch(() => 'no answer');
  const counts = readiness[name.startsWith('api') ? 'api' : 'workers'];
  counts[seen] = (counts[seen] ?? 0) + 1;
}

/** Lines by message: of requests and jobs by what became of them too. */
export function troubleIn(text: string): LogLines[] {
  const kinds = new Map<string, LogLines>();
  for (const line of text.split('\n')) {
    if (!/"level":"(warn|error)".*\}$/.test(line)) continue;
    const { level, message, status, error = '' } = JSON.parse(line);
    const kind = status === undefined ? message : `${message}, ${status}`;
    const first = String(error).split('\n')[0]!.slice(0, 160);
    const known = kinds.get(`${level} ${kind}`);
    if (known) known.count++;
    else kinds.set(`${level} ${kind}`, { level, message: kind, count: 1, first });
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count);
}

/** With the settings of a deployment. Rules look at calls in live mode; here all are sandbox. */
async function startPrometheus(scope: AsyncDisposableStack, stack: ChaosStack) {
  if (!(await run('which', ['prometheus'])).ok) return undefined;
  const dir = join(stack.dir, 'prometheus');
  await mkdir(dir);
  const rules = ['alerts.rules.yaml', 'objectives.rules.yaml'];
  for (const name of rules) {
    const text = await readFile(rootFile(`config/observability/${name}`), 'utf8');
    await writeFile(join(dir, name), text.replaceAll('mode="live"', 'mode="sandbox"'));
  }
  const jobOf = (job: string, prefix: string) => ({
    job_name: `payment-collection-${job}`,
    basic_auth: { username: 'operator', password: stack.env.OPERATOR_PASSWORD },
    static_configs: [
      {
        targets: services
          .filter((name) => name.startsWith(prefix))
          .map((name) => new URL(stack.probeUrls[name]).host),
      },
    ],
  });
  const settings = {
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    rule_files: rules,
    scrape_configs: [jobOf('service', 'api'), jobOf('workers', 'workers')],
  };
  const file = join(dir, 'prometheus.json');
  await writeFile(file, JSON.stringify(settings));
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [
    ...[`--config.file=${file}`, `--storage.tsdb.path=${join(dir, 'data')}`],
    `--web.listen-address=${new URL(url).host}`,
  ];
  const logFile = join(dir, 'prometheus.log');
  await startReady(
    { scope, programs: [] },
    { name: 'prometheus', command: 'prometheus', args, env: {}, logFile },
    () => expectOk(`${url}/-/ready`),
  );
  return url;
}

/** Before its first look at the processes it knows of none. */
async function untilCalm(url: string): Promise<void> {
  await until({ everyMs: 1_000, withinMs: CALM_WITHIN_MS }, async () => {
    const alerts = {};
    await lookForAlerts(url, alerts);
    const areUp = (await askNow(url, 'up == 1')).length === services.length;
    return (areUp && Object.keys(alerts).length === 0) || undefined;
  });
}

async function lookForAlerts(url: string, alerts: NonNullable<OperatorsSaw['alerts']>) {
  const response = await fetch(`${url}/api/v1/alerts`);
  const { data } = (await response.json()) as {
    data: { alerts: { labels: { alertname: string }; state: 'pending' | 'firing' }[] };
  };
  for (const { labels, state } of data.alerts)
    if (alerts[labels.alertname] !== 'firing') alerts[labels.alertname] = state;
}
