import type { Attention } from '../../domain/attention.ts';
import type { RowQueue } from '../../domain/jobs.ts';
import type { FailingRow } from '../../domain/shared/failing-rows.ts';
import type { DeliveryFigures } from '../../domain/webhooks/delivery/figures.ts';
import type { CallFigures } from './process-figures.ts';

/** What `ops status` answers. Counts end at `COUNTED_TO`. */
export interface Status {
  at: string;
  migrations: { newest: string | null; pending: number };
  queue_store: { kind: string; reachable: boolean };
  queues: { queue: RowQueue; due_rows: number; oldest_due_seconds: number }[];
  /** Rows of which more than eight tries in a row failed; `group`: their connection or endpoint. */
  failing_rows: (Omit<FailingRow, 'due_at'> & { next_try_at: string })[];
  /** Of the last five minutes. */
  deliveries: {
    tries: Record<string, number>;
    ended: Record<string, number>;
    first_try_ms: DeliveryFigures['firstTryMs'];
    failing_endpoints: number;
  };
  attention: Attention;
  /** Where figures of running processes were asked for. */
  processes: { address: string; error: string | null }[];
  provider_calls: CallFigures[];
}

/** More are not counted, so that no count reads more rows. */
export const COUNTED_TO = 10_000;

const ATTENTION: Record<keyof Attention, string> = {
  reviews: 'payments in review (ops review list)',
  refunds: 'refunds that need attention (ops refund list)',
  discrepancies: 'open discrepancies (ops discrepancy list)',
  disputes: 'open disputes',
  disabled_endpoints: 'disabled webhook endpoints',
  refused_connections: 'connections whose credentials are refused',
};

/** The status as a terminal shows it. */
export function printStatus(status: Status): string {
  return [
    section('Service', serviceLines(status)),
    section('Queues', queueLines(status)),
    section('Rows that fail again and again', failingLines(status)),
    section('Webhooks, last 5 minutes', deliveryLines(status)),
    section('Calls to providers, since the processes started', callLines(status)),
    section('Waits for a person', attentionLines(status)),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

function serviceLines({ at, migrations, queue_store: store }: Status): string[] {
  const pending = migrations.pending === 0 ? 'none pending' : `${migrations.pending} PENDING`;
  return [
    `time         ${at}`,
    `migrations   ${migrations.newest ?? 'none'}, ${pending}`,
    `queue store  ${store.kind}, ${store.reachable ? 'reachable' : 'NOT REACHABLE'}`,
  ];
}

function queueLines({ queues }: Status): string[] {
  return queues.map(({ queue, due_rows: rows, oldest_due_seconds: seconds }) =>
    rows === 0
      ? `${queue.padEnd(22)} nothing due`
      : `${queue.padEnd(22)} ${counted(rows)} due, the oldest for ${duration(seconds)}`,
  );
}

function failingLines({ failing_rows: rows }: Status): string[] {
  const lines = rows.map(
    ({ queue, id, group, tries, failures, last_error: error, next_try_at: nextTryAt }) =>
      `${queue.padEnd(22)} ${id} of ${group}: ${failures} failures in a row, ${tries} tries, ` +
      `next ${nextTryAt}; last error: ${error}`,
  );
  return lines.length > 0 ? lines : ['none'];
}

function deliveryLines({ deliveries }: Status): string[] {
  const { tries, ended, first_try_ms: first, failing_endpoints: failing } = deliveries;
  const times =
    first.p50 === null ? 'none' : `p50 ${first.p50} ms, p99 ${first.p99} ms after the event`;
  return [
    `tries              ${pairs(tries)}`,
    `ended              ${pairs(ended)}`,
    `first tries        ${times}`,
    `endpoints failing  ${failing}`,
  ];
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
    ...(calls.length === 0 && unread.length === 0 ? ['none'] : []),
  ];
}

function attentionLines({ attention }: Status): string[] {
  return Object.entries(ATTENTION).map(
    ([name, what]) => `${counted(attention[name as keyof Attention]).padStart(6)}  ${what}`,
  );
}

function counted(count: number): string {
  return count >= COUNTED_TO ? `${COUNTED_TO}+` : String(count);
}

function pairs(counts: Record<string, number>): string {
  const shown = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return shown.length > 0 ? shown.join(', ') : 'none';
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
