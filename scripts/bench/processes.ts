import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stops, startChild as startProcess, troubleStarting } from '../local/child.ts';
import { freePort } from '../local/free-port.ts';
import { BenchFailure, type BenchRun } from './bench.ts';

export type Child = Awaited<ReturnType<typeof startChild>>;

export interface Server extends Child {
  url: string;
}

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  logFile: string;
}

/** A main module of the repository, run by Node. */
export interface Program {
  name: string;
  main: string;
  args?: string[];
  nodeArgs?: string[];
  env: Record<string, string>;
  dir: string;
}

export type ProcessScope = Pick<BenchRun, 'scope' | 'programs'>;

const READY_WITHIN_MS = 60_000;
/** Longer than the service takes to close its connections. */
const STOPS = Object.entries({ SIGTERM: 12_000, SIGKILL: 60_000 }) as Stops;

export function startProgram(
  run: ProcessScope,
  { name, main, args = [], nodeArgs = [], env, dir }: Program,
): Promise<Child> {
  return startReady(run, {
    ...{ name, env, command: process.execPath, logFile: join(dir, `${name}.log`) },
    args: [...nodeArgs, rootFile(main), ...args],
  });
}

/** Starts a program that serves `PORT`, and waits until `readyPath` is answered 200. */
export async function startServer(
  run: ProcessScope,
  { readyPath, ...program }: Program & { readyPath: string },
): Promise<Server> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = await startProgram(run, { ...program, env: { ...program.env, PORT: port } });
  await untilReady(child, () => expectOk(`${url}${readyPath}`));
  return { ...child, url };
}

/** Starts a process that ends with the run, and waits until `check` no longer throws. */
export async function startReady(
  { scope, programs }: ProcessScope,
  options: ChildOptions,
  check: () => Promise<unknown> = async () => {},
): Promise<Child> {
  const child = scope.use(await startChild(options));
  programs.push(child);
  await untilReady(child, check);
  return child;
}

/** Starts a process of the bench's own. */
export async function startChild({ name, command, args, env, logFile }: ChildOptions) {
  // NODE_OPTIONS too, so that a process can be profiled (`--cpu-prof`).
  const { PATH, NODE_OPTIONS = '' } = process.env;
  const options = { env: { PATH, NODE_OPTIONS, ...env } };
  const child = await startProcess(command, args, { logFile, stops: STOPS, options });
  const tail = async () =>
    (await readFile(logFile, 'utf8')).trim().split('\n').slice(-12).join('\n');
  return { ...child, name, tail };
}

/** Waits until `check` no longer throws. A process that ended, or takes too long, is a failure. */
export async function untilReady(
  { name, tail, ended }: Pick<Child, 'name' | 'tail'> & Partial<Child>,
  check: () => Promise<unknown>,
): Promise<void> {
  const trouble = await troubleStarting(check, READY_WITHIN_MS, ended);
  if (!trouble) return;
  throw new BenchFailure(
    `The ${name} did not start (${trouble}). It printed last:\n${await tail()}`,
  );
}

export async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new BenchFailure(`${response.status} ${text.slice(0, 500)}`);
}

/** The file of a path from the root of the repository. */
export function rootFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
