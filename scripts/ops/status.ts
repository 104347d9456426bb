import { Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import { type Attention, countAttention } from '../../domain/attention.ts';
import { queues, type RowQueue } from '../../domain/jobs.ts';
import { countDueRows, oldestDueMs } from '../../domain/shared/due-groups.ts';
import { findFailingRows } from '../../domain/shared/failing-rows.ts';
import { deliveryFigures } from '../../domain/webhooks/delivery/figures.ts';
import type { OperatorCommand } from './operate.ts';
import { callFigures, readProcesses } from './process-figures.ts';

/** More are not counted, so that no count reads more rows. */
const COUNTED_TO = 10_000;
const WINDOW_MS = 5 * 60_000;
const FAILING_ROWS = 20;

export const statusCommand: OperatorCommand = {
  name: 'status',
  description:
    'Shows queues, deliveries, calls to providers, breakers, and what waits for a person.',
  options: [
    new Option(
      '--process <address...>',
      'running processes whose calls and breakers are added up, like http://10.0.0.7:4001; ' +
        'by default those of this machine',
    ),
  ],
  async run(context, options: { process?: string[] }) {
    const status = await readStatus(context, options.process ?? processesHere(context));
    return { object: status, text: printStatus(status) };
  },
};

/** The API of this machine, and its workers where they have a port. */
function processesHere({ env }: Context): string[] {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const api = `${at(env.port)}${env.basePath}`;
  return env.workersPort === null ? [api] : [api, at(env.workersPort)];
}

type Status = Awaited<ReturnType<typeof readStatus>>;

/** Counts end at `COUNTED_TO`; failing rows had more than eight failures in a row. */
async function readStatus(context: Context, addresses: readonly string[]) {
  const { db, clock, env, orm } = context;
  const now = clock();
  const since = new Date(now.getTime() - WINDOW_MS);
  const executed = await orm.migrator.getExecuted();
  if (executed.length === 0)
    throw new SetupError('The database is empty: run npm run migrate first.');
  const [pending, reachable, dueQueues, failing, figures, attention, processes] = await Promise.all(
    [
      ...([orm.migrator.getPending(), reachesQueues(context), readQueues(context, now)] as const),
      ...([findFailingRows(db, FAILING_ROWS), deliveryFigures(db, since, now)] as const),
      ...([countAttention(db, COUNTED_TO), readProcesses(env, addresses)] as const),
    ],
  );
  return {
    at: now.toISOString(),
    migrations: { newest: executed.at(-1)?.name ?? null, pending: pending.length },
    queue_store: { kind: context.queues.kind, reachable },
    queues: dueQueues,
    failing_rows: failing.map(({ due_at: dueAt, ...row }) => ({
      ...row,
      next_try_at: dueAt.toISOString(),
    })),
    deliveries: {
      tries: Object.fromEntries(figures.tries.map(({ outcome, tries }) => [outcome, tries])),
      ended: Object.fromEntries(figures.ended.map((ended) => [ended.status, ended.deliveries])),
      first_try_ms: figures.firstTryMs,
      failing_endpoints: figures.failing.length,
    },
    attention,
    processes: processes.map(({ address, error }) => ({ address, error })),
    provider_calls: callFigures(processes),
  };
}

async function reachesQueues({ queues: store }: Context): Promise<boolean> {
  await store.probe('status');
  return !store.outage.isAway();
}

async function readQueues({ db }: Context, now: Date) {
  const oldest = await oldestDueMs(db, now);
  return Promise.all(
    (Object.keys(queues) as RowQueue[]).map(async (queue) => ({
      queue,
      due_rows: await countDueRows(db, queue, now, COUNTED_TO),
      oldest_due_seconds: Math.round(oldest[queue] / 1_000),
    })),
  );
}

const ATTENTION: Record<keyof Attention, string> = {
  reviews: 'payments in review (ops review list)',
  refunds: 'refunds that need attention (ops refund list)',
  discrepancies: 'open discrepancies (ops discrepancy list)',
  books: 'of these, where the journal is wrong (ops discrepancy list --kind books)',
  disputes: 'open disputes',
  disabled_endpoints: 'disabled webhook endpoints',
  refused_connections: 'connections whose credentials are refused',
  unfinished_imports: 'imports that have not ended (ops import)',
};

function printStatus(status: Status): string {
  const { migrations, queue_store: store, deliveries, attention } = status;
  const pending = migrations.pending === 0 ? 'none pending' : `${migrations.pending} PENDING`;
  const { p50, p99 } = deliveries.first_try_ms;
  const sections: Record<string, string[]> = {
    Service: [
      `time         ${status.at}`,
      `migrations   ${migrations.newest ?? 'none'}, ${pending}`,
      `queue store  ${store.kind}, ${store.reachable ? 'reachable' : 'NOT REACHABLE'}`,
    ],
    Queues: status.queues.map(({ queue, due_rows: rows, oldest_due_seconds: seconds }) => {
      const due = `${counted(rows)} due, the oldest for ${duration(seconds)}`;
      return `${queue.padEnd(22)} ${rows === 0 ? 'nothing due' : due}`;
    }),
    'Rows that fail again and again': status.failing_rows.map(
      ({ queue, id, group, tries, failures, last_error: error, next_try_at: nextTryAt }) =>
        `${queue.padEnd(22)} ${id} of ${group}: ${failures} failures in a row, ${tries} tries, ` +
        `next ${nextTryAt}; last error: ${error}`,
    ),
    'Webhooks, last 5 minutes': [
      `tries              ${pairs(deliveries.tries)}`,
      `ended              ${pairs(deliveries.ended)}`,
      `first tries        ${p50 === null ? 'none' : `p50 ${p50} ms, p99 ${p99} ms after the event`}`,
      `endpoints failing  ${deliveries.failing_endpoints}`,
    ],
    'Calls to providers, since the processes started': callLines(status),
    'Waits for a person': Object.entries(ATTENTION).map(
      ([name, what]) => `${counted(attention[name as keyof Attention]).padStart(6)}  ${what}`,
    ),
  };
  const section = ([title, lines]: [string, string[]]) =>
    [title, ...(lines.length > 0 ? lines : ['none'])].join('\n  ');
  return Object.entries(sections).map(section).join('\n\n');
}

function callLines({ processes, provider_calls: calls }: Status): string[] {
  const unread = processes.filter(({ error }) => error !== null);
  return [
    ...calls.map(
      ({ provider, mode, outcomes, mean_ms, open_breakers, lowest_budget_left }) =>
        `${`${provider} ${mode}`.padEnd(22)} ${pairs(outcomes)}; mean ${mean_ms} ms; ` +
        `breakers open: ${open_breakers}; lowest budget left: ${Math.round(lowest_budget_left * 100)} %`,
    ),
    ...unread.map(({ address, error }) => `not known of ${address}: ${error}`),
  ];
}

const counted = (count: number): string => (count >= COUNTED_TO ? `${COUNTED_TO}+` : String(count));

function pairs(counts: Record<string, number>): string {
  const shown = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return shown.length > 0 ? shown.join(', ') : 'none';
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
