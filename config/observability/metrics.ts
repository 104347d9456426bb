import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Counts of one process, for Prometheus. Labels are never a tenant, connection or endpoint. */
export interface Metrics {
  registry: Registry;
  recordRequest(request: {
    /** A pattern of the code, never an address. */
    route: string;
    method: string;
    /** `2xx` to `5xx`, or `aborted`. */
    status: string;
    durationMs: number;
  }): void;
  recordJob(job: EndedJob): void;
  recordProviderCall(call: EndedCall): void;
  recordStatement(kind: StatementKind, durationMs: number, succeeded: boolean): void;
  addGauge(gauge: ReadGauge): void;
  /** Also measures the process itself: memory, CPU time, delays of the event loop. */
  measureProcess(): void;
}

export interface EndedJob {
  queue: string;
  outcome: string;
  durationMs: number;
  /** From the time the row was due to the end; undefined: not known. */
  sinceDueMs?: number | undefined;
}

export type StatementKind = 'statement' | 'transaction';

export interface CallTarget {
  provider: string;
  /** `live`, `test` or `sandbox`. */
  mode: string;
}

/** One question to a provider, of one or more HTTP calls. */
export interface EndedCall extends CallTarget {
  operation: string;
  outcome: string;
  durationMs: number;
}

export interface ReadGauge {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Labels that it does not return have no value. */
  read(): Iterable<readonly [labels: Record<string, string>, value: number]>;
}

/** In seconds. Requests and provider calls are meant to take less than any of the last ones. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LATENCY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 10];

/** How often the event loop is looked at: ten times more often costs 0.3 % of a core. */
const LOOP_LOOKS_MS = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[],
  ) => new Histogram({ name, help, buckets, labelNames, registers: [registry] });

  const requests = histogram(
    'pcs_http_request_seconds',
    'Time to answer a request, by route pattern.',
    REQUEST_BUCKETS,
    ['route', 'method', 'status'],
  );
  const handling = histogram(
    'pcs_job_seconds',
    'Time from the claim of a row to its end, by queue and outcome.',
    JOB_BUCKETS,
    ['queue', 'outcome'],
  );
  const latency = histogram(
    'pcs_job_latency_seconds',
    'Time from when a row was due to its end, by queue and outcome.',
    LATENCY_BUCKETS,
    ['queue', 'outcome'],
  );
  const calls = histogram(
    'pcs_provider_call_seconds',
    'Time of a question to a provider, by operation and outcome.',
    CALL_BUCKETS,
    ['provider', 'mode', 'operation', 'outcome'],
  );
  const statements = histogram(
    'pcs_statement_seconds',
    'Time of a statement or a transaction, with the wait for a connection.',
    STATEMENT_BUCKETS,
    ['kind', 'outcome'],
  );

  return {
    registry,
    recordRequest: ({ durationMs, ...labels }) => requests.observe(labels, durationMs / 1_000),
    recordJob({ queue, outcome, durationMs, sinceDueMs }) {
      handling.observe({ queue, outcome }, durationMs / 1_000);
      if (sinceDueMs !== undefined) latency.observe({ queue, outcome }, sinceDueMs / 1_000);
    },
    recordProviderCall: ({ durationMs, ...labels }) => calls.observe(labels, durationMs / 1_000),
    recordStatement(kind, durationMs, succeeded) {
      const outcome = succeeded ? 'succeeded' : 'failed';
      statements.observe({ kind, outcome }, durationMs / 1_000);
    },
    addGauge: (gauge) => addGauge(registry, gauge),
    measureProcess: () =>
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOKS_MS }),
  };
}

function addGauge(registry: Registry, { name, help, labels = [], read }: ReadGauge): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [values, value] of read()) this.set(values, value);
    },
  });
}
