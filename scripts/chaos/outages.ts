import { percentile } from '../bench/figures.ts';
import type { faults } from './faults.ts';
import type { ChargeAnswer } from './market.ts';
import type { OperatorsSaw } from './operators.ts';
import type { ChaosRecords } from './records.ts';
import type { PastFault } from './recovery.ts';

/** What the table of config/runbook.md has, by the heading there that says what to do. */
export const outages = {
  'Redis full': '20. Redis is full',
  'PostgreSQL out of connections': '21. PostgreSQL is out of connections',
  'disk full': '7. The disk is full',
  'name servers away': '23. Names are not found',
  'clocks 90 s apart': '24. A clock is wrong',
  "provider's certificate expired": '1. A provider is down',
  'provider answers 200 MB': '22. A provider changed its answers',
} satisfies Partial<Record<keyof typeof faults, string>>;

export type OutageName = keyof typeof outages;

/** What was seen of one fault while it lasted. */
export type Outage = ReturnType<typeof outageOf>;

export function outageOf(
  { beganAtMs, endedAtMs }: PastFault,
  saw: OperatorsSaw,
  answers: readonly ChargeAnswer[],
  { payments }: Pick<ChaosRecords, 'payments'>,
) {
  const isWithin = (atMs: number) => atMs >= beganAtMs && atMs < endedAtMs;
  const within = answers.filter(({ askedAtMs }) => isWithin(askedAtMs));
  const accepted = within.filter(({ outcome }) => outcome === ACCEPTED);
  const refused = Map.groupBy(within, ({ outcome }) => outcome);
  refused.delete(ACCEPTED);
  const at = (percent: number) =>
    within.length === 0
      ? null
      : Math.round(
          percentile(
            within.map(({ ms }) => ms),
            percent,
          ),
        );
  return {
    lasted_s: Math.round((endedAtMs - beganAtMs) / 1_000),
    customers: {
      charges: new Set(within.map(({ idempotencyKey }) => idempotencyKey)).size,
      accepted: accepted.length,
      /** Answers with another status, and requests without one; merchants ask again. */
      refused: Object.fromEntries([...refused].map(([outcome, { length }]) => [outcome, length])),
      /** Of all answers. */
      p50_ms: at(50),
      p99_ms: at(99),
      payments: payments.filter(({ paidAtMs }) => isWithin(paidAtMs)).length,
    },
    operators: saw,
  };
}

const ACCEPTED = '201';

export interface OutageRun {
  rate: number;
  seconds: number;
  lost: number;
  /** From the end of the fault until every row and payment was finished. */
  settled_after_ms: number;
  outage: Outage & { kind: string };
}

/** The table of config/runbook.md. */
export function tableOf(runs: readonly OutageRun[]): string {
  const head = '| Outage | Customers | Operators | Lost |';
  return [head, '|---|---|---|--:|', ...runs.map(rowOf)].join('\n');
}

export function withTable(text: string, runs: readonly OutageRun[]): string {
  return text.replace(
    /(<!-- outages -->\n)[\s\S]*?(<!-- \/outages -->)/,
    (_whole, open, close) => `${open}${tableOf(runs)}\n${close}`,
  );
}

const LINES = 4;

function rowOf({ rate, lost, settled_after_ms, outage }: OutageRun): string {
  const { kind, lasted_s, customers, operators } = outage;
  const heading = outages[kind as OutageName];
  const anchor = heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  const refused = listOf(customers.refused, (outcome, count) => `${count} × ${outcome}`);
  const payments = `${customers.payments} paid meanwhile; all finished ${inSeconds(settled_after_ms)} after it`;
  const { readiness, alerts, log } = operators;
  const cells = [
    `[${kind}](#${anchor}), ${rate}/s for ${lasted_s} s`,
    [
      `${customers.accepted} of ${customers.charges} charges accepted meanwhile`,
      refused || 'none refused',
      `answers p50 ${customers.p50_ms} ms, p99 ${customers.p99_ms} ms`,
      payments,
    ].join('<br>'),
    [
      `\`/readyz\` of APIs ${listOf(readiness.api, (seen, count) => `\`${seen}\` × ${count}`)}`,
      `of workers ${listOf(readiness.workers, (seen, count) => `\`${seen}\` × ${count}`)}`,
      `alerts: ${(alerts && listOf(alerts, (name, state) => `\`${name}\` ${state}`)) || 'none'}`,
      `log: ${
        log
          .slice(0, LINES)
          .map(({ message, count }) => `\`${message}\` × ${count}`)
          .join(', ') || 'nothing'
      }`,
    ].join('<br>'),
    lost === 0 ? 'nothing' : String(lost),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const inSeconds = (ms: number) => `${Math.round(ms / 1_000)} s`;

function listOf<Value>(
  values: Readonly<Record<string, Value>>,
  textOf: (name: string, value: Value) => string,
): string {
  return Object.entries(values)
    .map(([name, value]) => textOf(name, value))
    .join(', ');
}
