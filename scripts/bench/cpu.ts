import { readdir, readFile } from 'node:fs/promises';
import type { Sql } from '../../domain/shared/sql.ts';

const MS_PER_TICK = 10;

/** Adds up what processes and their children use while something is at work. */
export function openCpuMeter(pids: Readonly<Record<string, number>>) {
  const spentMs = new Map(Object.keys(pids).map((name) => [name, 0]));
  const add = async (sign: 1 | -1) => {
    const running = await readProcesses();
    for (const [name, pid] of Object.entries(pids))
      spentMs.set(name, spentMs.get(name)! + sign * cpuMsOf(pid, running));
  };
  return {
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      await add(-1);
      const result = await work();
      await add(1);
      return result;
    },
    /** CPU milliseconds of each for one of so many; empty where the kernel is not Linux. */
    per(count: number): Record<string, number> {
      const known = [...spentMs].filter(([, ms]) => !Number.isNaN(ms));
      return Object.fromEntries(known.map(([name, ms]) => [name, ms / count]));
    },
  };
}

/** The children of this process are what is measured, and are not added. */
function cpuMsOf(pid: number, running: ReadonlyMap<number, RunningProcess>): number {
  const own = running.get(pid)?.cpuMs ?? Number.NaN;
  if (pid === process.pid) return own;
  const children = [...running.values()].filter(({ parent }) => parent === pid);
  return children.reduce((sum, { cpuMs }) => sum + cpuMs, own);
}

/** The process whose children are the sessions of PostgreSQL. */
export async function postgresPid(sql: Sql): Promise<number> {
  const [session] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (await readProcesses()).get(session!.pid)?.parent ?? 0;
}

export type RunningProcess = { parent: number; cpuMs: number };

/** Every process of the machine by its id, as Linux reports them. */
export async function readProcesses() {
  const names = await readdir('/proc').catch(() => []);
  const running = new Map<number, RunningProcess>();
  const read = names
    .map(Number)
    .filter(Number.isInteger)
    .map(async (pid) => {
      const one = await readProcess(pid);
      if (one) running.set(pid, one);
    });
  await Promise.all(read);
  return running;
}

async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the command stands in brackets and may hold spaces.
  const fields = stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  if (!fields) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
  return { parent: fields[1]!, cpuMs: ticks * MS_PER_TICK };
}
