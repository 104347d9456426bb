import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import { countAttention } from '../../domain/attention.ts';
import { queues, type RowQueue } from '../../domain/jobs.ts';
import { countDueRows, oldestDueMs } from '../../domain/shared/due-groups.ts';
import { findFailingRows } from '../../domain/shared/failing-rows.ts';
import { deliveryFigures } from '../../domain/webhooks/delivery/figures.ts';
import type { Terminal } from '../command-line.ts';
import { addCommand } from './operate.ts';
import { COUNTED_TO, printStatus, type Status } from './print-status.ts';
import { callFigures, readProcesses } from './process-figures.ts';

const WINDOW_MS = 5 * 60_000;
const FAILING_ROWS = 20;

/** `status`. */
export function addStatusCommand(root: Command, terminal: Terminal): void {
  addCommand<{ process?: string[] }>(root, terminal, {
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
    async run(context, options) {
      const status = await readStatus(context, options.process ?? processesHere(context));
      return { object: status, text: printStatus(status) };
    },
  });
}

/** The API of this machine, and its workers where they have a port. */
function processesHere({ env }: Context): string[] {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const api = `${at(env.port)}${env.basePath}`;
  return env.workersPort === null ? [api] : [api, at(env.workersPort)];
}

async function readStatus(context: Context, addresses: readonly string[]): Promise<Status> {
  const { db, clock, env, orm } = context;
  const now = clock();
  const since = new Date(now.getTime() - WINDOW_MS);
  const executed = await orm.migrator.getExecuted();
  if (executed.length === 0)
    throw new SetupError('The database is empty: run npm run migrate first.');
  const [pending, reachable, dueQueues, failing, figures, attention, processes] = await Promise.all(
    [
      orm.migrator.getPending(),
      reachesQueues(context),
      readQueues(context, now),
      findFailingRows(db, FAILING_ROWS),
      deliveryFigures(db, since, now),
      countAttention(db, COUNTED_TO),
      readProcesses(env, addresses),
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
      ended: Object.fromEntries(
        figures.ended.map(({ status, deliveries }) => [status, deliveries]),
      ),
      first_try_ms: figures.firstTryMs,
      failing_endpoints: figures.failing.length,
    },
    attention,
    processes: processes.map(({ address, error }) => ({ address, error })),
    provider_calls: callFigures(processes),
  };
}

async function reachesQueues({ queues: store }: Context): Promise<boolean> {
  await store.probe();
  return !store.outage.isAway();
}

async function readQueues({ db }: Context, now: Date): Promise<Status['queues']> {
  const oldest = await oldestDueMs(db, now);
  return Promise.all(
    (Object.keys(queues) as RowQueue[]).map(async (queue) => ({
      queue,
      due_rows: await countDueRows(db, queue, now, COUNTED_TO),
      oldest_due_seconds: Math.round(oldest[queue] / 1_000),
    })),
  );
}
