import type { Context } from '../../config/context.ts';
import type { ConnectionTaskName } from '../../domain/accounts/connection/tasks.ts';
import type { DueRow } from '../../domain/jobs.ts';
import type { Provider } from '../../domain/providers/port/provider.ts';
import type { JobHandler } from '../../workers/job-handler.ts';
import { runJob } from '../../workers/run-job.ts';
import type { ProviderAccountFixture } from './provider-account.ts';

export interface TaskRow {
  id: string;
  tries: number;
  snoozes: number;
  failures: number;
  due_at: Date;
  done_at: Date | null;
  progress: Record<string, any> | null;
}

export type TestConnectionTask = ReturnType<typeof testConnectionTask>;

/** A task of a connection, run by the workers or by the test itself with a changed provider. */
export function testConnectionTask(
  { stack, connectionId }: ProviderAccountFixture,
  name: ConnectionTaskName,
  task: JobHandler,
) {
  const { sql, clock, context } = stack;
  const own = {
    async row() {
      const [row] = await sql<TaskRow>`select * from connection_tasks
        where connection_id = ${connectionId} and task = ${name}`;
      return row!;
    },
    async makeDue(): Promise<DueRow> {
      await sql`update connection_tasks set due_at = ${clock()}
        where connection_id = ${connectionId} and task = ${name}`;
      const { id, tries } = await own.row();
      return { id, tries };
    },
    async run(job?: DueRow, provider?: (real: Provider) => Partial<Provider>) {
      const changed = provider ? withProvider(context, provider) : context;
      return runJob(changed, task, job ?? (await own.makeDue()));
    },
  };
  return own;
}

export function withProvider(context: Context, change: (real: Provider) => Partial<Provider>) {
  const providerOf: Context['providerOf'] = (...opened) => {
    const real = context.providerOf(...opened);
    return { ...real, ...change(real) };
  };
  return { ...context, providerOf };
}

/**
 * Time that really passes, for whoever measures how long they work: `leap` makes some of it pass at
 * once. Until the test ends.
 */
export function leapingTime(): { leap(ms: number): void } & Disposable {
  const real = performance.now;
  let leaptMs = 0;
  performance.now = () => real.call(performance) + leaptMs;
  return {
    leap: (ms) => {
      leaptMs += ms;
    },
    [Symbol.dispose]: () => {
      performance.now = real;
    },
  };
}
