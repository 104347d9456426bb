import { readdir, readFile } from 'node:fs/promises';
import type { Sql } from '../../domain/shared/sql.ts';

const TICKS_PER_SECOND = 100;

interface Spent {
  parent: number;
  /** Of the process, and of its children that have ended. */
  seconds: number;
}

/** Adds up what processes use while something is at work. */
export interface CpuMeter {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * CPU milliseconds of each process for one of so many. Undefined where the kernel does not report
   * it.
   */
  per(count: number): Record<string, number> | undefined;
}

export function openCpuMeter(pids: Readonly<Record<string, number>>): CpuMeter {
  const read = () => Promise.all(Object.values(pids).map(cpuSecondsOf));
  const spent = Object.keys(pids).map(() => 0);
  return {
    async during(work) {
      const before = await read();
      const result = await work();
      const after = await read();
      for (const index of spent.keys())
        spent[index]! += (after[index] ?? Number.NaN) - (before[index] ?? Number.NaN);
      return result;
    },
    per(count) {
      if (spent.some(Number.isNaN)) return undefined;
      return Object.fromEntries(
        Object.keys(pids).map((name, index) => [name, (spent[index]! * 1_000) / count]),
      );
    },
  };
}

/**
 * CPU seconds a process and its children have used so far, or undefined where the kernel does not
 * report it (Linux does). The children of this process are what is measured, and are not added.
 */
async function cpuSecondsOf(pid: number): Promise<number | undefined> {
  if (pid === process.pid) return ownCpuSeconds();
  const own = await spentBy(pid);
  if (!own) return undefined;
  const others = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map((name) => spentBy(Number(name)));
  const children = (await Promise.all(others)).filter((spent) => spent?.parent === pid);
  return children.reduce((sum, child) => sum + child!.seconds, own.seconds);
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The process whose children are the sessions of PostgreSQL. */
export async function postgresPid({ db }: { db: Sql }): Promise<number> {
  const [session] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (await spentBy(session!.pid))?.parent ?? 0;
}

async function spentBy(pid: number): Promise<Spent | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name of the command stands in brackets and may hold spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return {
    parent: fields[1]!,
    seconds: (user + system + childUser + childSystem) / TICKS_PER_SECOND,
  };
}
