import { fileURLToPath } from 'node:url';
import { freePort } from '../local/free-port.ts';
import { BenchFailure } from './bench.ts';
import { type Child, startChild, untilReady } from './child.ts';

/** An HTTP server in a process of its own. */
export interface Server extends Child {
  url: string;
}

export interface ServerOptions {
  name: string;
  /** Path of its main module, from the root of the repository. */
  main: string;
  env: Record<string, string>;
  logFile: string;
  /** Answers 200 once the server is ready. */
  readyPath: string;
}

/** Runs a main module on a free port, told in PORT, and waits until it is ready. */
export async function startServer({
  name,
  main,
  env,
  logFile,
  readyPath,
}: ServerOptions): Promise<Server> {
  const port = await freePort();
  const file = fileURLToPath(new URL(`../../${main}`, import.meta.url));
  await using starting = new AsyncDisposableStack();
  const child = starting.use(
    await startChild({
      name,
      command: process.execPath,
      args: [file],
      env: { ...env, PORT: String(port) },
      logFile,
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, () => expectOk(`${url}${readyPath}`));
  const running = starting.move();
  return { ...child, url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new BenchFailure(`${response.status} ${text.slice(0, 500)}`);
}
