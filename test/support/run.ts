import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs one of our scripts to its end with `env` as its settings; `whileRunning` may signal it. */
export async function run(
  args: string[],
  env: Record<string, string>,
  whileRunning?: (kill: (signal: NodeJS.Signals) => void) => Promise<void>,
): Promise<Run> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const exited = once(child, 'exit');
  try {
    await whileRunning?.((signal) => child.kill(signal));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const [code] = await exited;
  return { code, ...output };
}
