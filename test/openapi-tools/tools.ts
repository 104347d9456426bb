import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApi } from '../support/openapi.ts';

export type Variables = Record<string, string>;

/** What takes longer does not answer: the network is gone, or a program waits for ever. */
const PATIENCE_MS = 15 * 60_000;

/** Resolves with what the command printed; rejects with what it complained about. */
export async function command(
  cwd: string,
  file: string,
  options: readonly string[],
  variables: Variables = {},
): Promise<string> {
  const limits = { timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: 50_000_000 } as const;
  const env = { ...process.env, ...variables };
  try {
    return (await promisify(execFile)(file, options, { cwd, env, ...limits })).stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Record<string, string>;
    throw new Error(`${message.slice(0, 300)}\n${stdout.slice(-3_000)}\n${stderr.slice(-3_000)}`);
  }
}

/** Undefined, and loudly so, where this machine cannot have it. */
export async function orSkipped<T>(what: string, fetch: () => Promise<T>): Promise<T | undefined> {
  try {
    return await fetch();
  } catch (error) {
    const { message } = error as Error;
    process.stdout.write(`\n*** ${what} cannot be had, so it is SKIPPED: ${message} ***\n`);
    return undefined;
  }
}

/** A file with the document of a service at this address. */
export async function writeDocument(folder: string, url: string): Promise<string> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify({ ...openApi, servers: [{ url, description: 'This.' }] }));
  return file;
}
