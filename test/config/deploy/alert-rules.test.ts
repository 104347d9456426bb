import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readAlerts, ruleFiles } from '../../support/alert-rules.ts';

/** Values of each minute from the start on, in promtool's notation. */
type Series = Record<string, string>;

interface AlertCase {
  alert: string;
  /** What differs from `healthy`. */
  broken: Series;
  /** The first minute at which the alert fires. */
  minute: number;
  /** What the same trouble sets off as well, by that minute. */
  also?: string[];
  /** What differs from `healthy` and is not worth an alert, however long it lasts. */
  bearable: Series;
}

const LONG = 100;
const always = (value: number) => `${value}+0x${2 * LONG}`;
const each = (growth: number) => `0+${growth}x${2 * LONG}`;
const GONE = `_x${LONG}`;

/** A count that grows by so much a minute, for so many minutes, and then differently. */
function grows(...phases: [growth: number, minutes: number][]): string {
  let count = 0;
  return phases
    .map(([growth, minutes]) => {
      const values = `${count + growth}+${growth}x${minutes - 1}`;
      count += growth * minutes;
      return values;
    })
    .join(' ');
}

const api = (n: number) => `up{job="payment-collection-service",instance="api-${n}:4000"}`;
const workers = (n: number) => `up{job="payment-collection-workers",instance="10.0.0.${n}:4001"}`;
const charges = (status: string) =>
  `pcs_http_request_seconds_count{route="/v1/charges",method="POST",status="${status}"}`;
const chargesWithin = (le: string) =>
  `pcs_http_request_seconds_bucket{route="/v1/charges",method="POST",status="2xx",le="${le}"}`;
const jobs = (queue: string, outcome: string) =>
  `pcs_job_seconds_count{queue="${queue}",outcome="${outcome}"}`;
const sent = 'queue="webhook-deliver",outcome="completed"';
const sentWithin10 = `pcs_job_latency_seconds_bucket{${sent},le="10"}`;
const calls = (mode: string, outcome: string) =>
  `pcs_provider_call_seconds_count{provider="paystack",mode="${mode}",outcome="${outcome}"}`;
const breakers = (mode: string) => `pcs_breakers{provider="paystack",mode="${mode}",state="open"}`;
const budget = 'pcs_provider_budget_left_ratio{provider="paystack",mode="live"}';
const waiting = (reason: string) => `pcs_mails_waiting{reason="${reason}"}`;
const due = 'pcs_oldest_due_seconds{queue="charge-create"}';
const lag = 'nodejs_eventloop_lag_p99_seconds{instance="api-1:4000"}';
const clock = 'pcs_clock_offset_seconds{instance="api-1:4000"}';
const row = 'pcs_row_failures{queue="charge-create",row="att_01"}';
const connections = 'pcs_database_connections{instance="api-1:4000",state="waiting"}';
const firstTry = 'pcs_webhook_first_try_seconds_5m{quantile="0.99"}';
const endpoint = 'pcs_webhook_failure_ratio_5m{endpoint="whe_01"}';

const healthy: Series = {
  ...{ [api(1)]: always(1), [api(2)]: always(1), [workers(1)]: always(1), [workers(2)]: always(1) },
  ...{ [due]: always(0), [lag]: always(0.02), [connections]: always(0) },
  ...{ [clock]: always(0) },
  ...{ pcs_queue_store_away: always(0), pcs_log_archive_failing: always(0) },
  ...{ [charges('2xx')]: each(1_000), [chargesWithin('+Inf')]: each(1_000) },
  ...{ [chargesWithin('0.5')]: each(1_000), [chargesWithin('1')]: each(1_000) },
  ...{ [chargesWithin('2.5')]: each(1_000) },
  ...{ [`pcs_job_latency_seconds_count{${sent}}`]: each(1_000), [sentWithin10]: each(1_000) },
  ...{ [jobs('charge-create', 'failed')]: always(0), [jobs('mail-send', 'completed')]: each(1) },
  ...{ [calls('live', 'accepted')]: each(60), [breakers('live')]: always(0), [budget]: always(1) },
  ...{ [firstTry]: always(0.4), [waiting('limit')]: always(0), pcs_books_wrong: always(0) },
};

const cases: AlertCase[] = [
  {
    alert: 'ApiDown',
    broken: { [api(2)]: always(0) },
    minute: 1,
    bearable: { [api(2)]: `1 0 1+0x${LONG}` },
  },
  {
    alert: 'WorkersDown',
    broken: { [workers(1)]: always(0), [workers(2)]: GONE },
    minute: 2,
    bearable: { [workers(1)]: GONE },
  },
  {
    alert: 'WorkerGone',
    broken: { [workers(1)]: always(0) },
    minute: 5,
    bearable: { [workers(1)]: `0 0 0 0 0 1+0x${LONG}` },
  },
  {
    alert: 'FiguresMissing',
    broken: { [due]: `0 0 ${GONE}` },
    // Prometheus knows a figure that is missing, and not merely late, after five minutes.
    minute: 9,
    bearable: { [due]: `0 0 _x4 0+0x${LONG}` },
  },
  {
    alert: 'LogNotArchived',
    broken: { pcs_log_archive_failing: always(1) },
    minute: 15,
    bearable: { pcs_log_archive_failing: `1+0x14 ${always(0)}` },
  },
  {
    alert: 'BackupOld',
    broken: { pcs_backup_age_seconds: always(26 * 3_600 + 1) },
    minute: 15,
    bearable: { pcs_backup_age_seconds: always(26 * 3_600) },
  },
  {
    alert: 'ApiErrors',
    broken: { 'pcs_http_request_seconds_count{route="/v1/refunds",status="5xx"}': each(12) },
    minute: 6,
    bearable: { [charges('5xx')]: each(0.9) },
  },
  {
    alert: 'ApiSlow',
    broken: { [chargesWithin('0.5')]: each(900), [chargesWithin('1')]: each(980) },
    minute: 11,
    bearable: { [chargesWithin('0.5')]: each(500), [chargesWithin('1')]: each(995) },
  },
  {
    alert: 'CallersWaitForDatabase',
    broken: { [connections]: always(3) },
    minute: 5,
    bearable: { [connections]: `3+0x4 0+0x4 3+0x4 ${always(0)}` },
  },
  {
    alert: 'QueueStoreAway',
    broken: { pcs_queue_store_away: always(1) },
    minute: 1,
    bearable: { pcs_queue_store_away: `0 1 ${always(0)}` },
  },
  {
    alert: 'WorkWaits',
    broken: { [due]: `0+60x${LONG}` },
    minute: 4,
    also: ['ErrorBudgetBurnsFast', 'ErrorBudgetBurnsSlowly'],
    bearable: { [due]: always(60) },
  },
  {
    alert: 'JobsFail',
    broken: { [jobs('charge-create', 'failed')]: each(1) },
    minute: 16,
    bearable: { [jobs('charge-create', 'failed')]: each(0.5) },
  },
  {
    alert: 'ProcessLags',
    broken: { [lag]: always(0.3) },
    minute: 10,
    bearable: { [lag]: always(0.2) },
  },
  {
    alert: 'ClockWrong',
    broken: { [clock]: always(-45) },
    minute: 5,
    bearable: { [clock]: always(2) },
  },
  {
    alert: 'RowFailsAgain',
    // A row that always throws; it is told once it has failed more than eight times.
    broken: { [row]: `_x3 9+1x${LONG}` },
    minute: 4,
    bearable: { [row]: always(8) },
  },
  {
    alert: 'MailStuck',
    broken: { [jobs('mail-send', 'completed')]: always(7), [jobs('mail-send', 'retry')]: each(1) },
    minute: 8,
    bearable: {
      [jobs('mail-send', 'completed')]: grows([0, 3], [1, 1], [0, LONG]),
      [jobs('mail-send', 'retry')]: each(1),
    },
  },
  {
    alert: 'MailOverLimit',
    broken: { [waiting('limit')]: always(40) },
    minute: 5,
    bearable: { [waiting('failure')]: always(40) },
  },
  {
    alert: 'BooksWrong',
    broken: { pcs_books_wrong: always(1) },
    minute: 5,
    bearable: { pcs_books_wrong: `1+0x3 ${always(0)}` },
  },
  {
    alert: 'ProviderFails',
    broken: { [calls('live', 'unavailable')]: each(30) },
    minute: 6,
    bearable: { [calls('test', 'unavailable')]: each(90), [calls('live', 'unknown')]: each(20) },
  },
  {
    alert: 'BreakerOpen',
    broken: { [breakers('live')]: always(1) },
    minute: 5,
    bearable: { [breakers('test')]: always(1) },
  },
  {
    alert: 'BudgetUsedUp',
    broken: { [budget]: always(0) },
    minute: 10,
    bearable: { [budget]: always(0.1) },
  },
  {
    alert: 'WebhooksLate',
    broken: { [firstTry]: always(31) },
    minute: 5,
    bearable: { [firstTry]: always(29) },
  },
  {
    alert: 'EndpointFails',
    broken: { [endpoint]: always(1) },
    minute: 60,
    bearable: { [endpoint]: always(0.9) },
  },
  {
    alert: 'ErrorBudgetBurnsFast',
    broken: { [sentWithin10]: grows([1_000, 120], [500, LONG]) },
    minute: 139,
    also: ['ErrorBudgetBurnsSlowly'],
    // A bad minute is all that the last five show, and little of the hour.
    bearable: { [sentWithin10]: grows([1_000, 136], [100, 1], [1_000, LONG]) },
  },
  {
    alert: 'ErrorBudgetBurnsSlowly',
    broken: { [charges('5xx')]: grows([0, 30], [2, LONG]) },
    minute: 61,
    bearable: { [charges('5xx')]: each(0.9) },
  },
];

describe('The alerts of Prometheus', function () {
  this.timeout(120_000);
  let dir: string;
  let files: string[];
  before(async function () {
    if (spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status !== 0) {
      process.stdout.write('\n*** No promtool: the alerts of Prometheus are SKIPPED. ***\n');
      return this.skip();
    }
    dir = await mkdtemp(join(tmpdir(), 'payments-alert-rules-'));
    files = await ruleFiles();
  });
  after(() => dir && rm(dir, { recursive: true, force: true }));

  const firing = (minute: number, alerts: string[]) => ({
    expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  });
  const story = (series: Series, ...promql_expr_test: object[]) => ({
    interval: '1m',
    input_series: Object.entries({ ...healthy, ...series }).map(([series, values]) => ({
      series,
      values,
    })),
    promql_expr_test,
  });

  async function hold(name: string, ...tests: object[]): Promise<void> {
    const file = join(dir, `${name}.json`);
    await writeFile(file, JSON.stringify({ rule_files: files, tests }));
    await promisify(execFile)('promtool', ['test', 'rules', file]);
  }

  it('each have a case below', async () => {
    const names = (await readAlerts()).map(({ alert }) => alert);
    expect(cases.map(({ alert }) => alert).sort()).to.deep.equal(names.sort());
  });

  it('are silent while all is well', () => hold('healthy', story({}, firing(60, []))));

  for (const { alert, broken, minute, also = [], bearable } of cases)
    it(`say ${alert} in time, and not of what is bearable`, () =>
      hold(
        alert,
        story(broken, firing(minute - 1, also), firing(minute, [alert, ...also])),
        story(bearable, ...[minute, minute + 10].map((at) => firing(at, []))),
      ));
});
