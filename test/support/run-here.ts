import { Writable } from 'node:stream';
import { type Program, runProgram } from '../../scripts/command-line.ts';
import type { Run } from './run.ts';

/** Runs a program like `run`, in this process: starting one costs ten times most commands. */
export async function runHere(
  program: Program,
  args: readonly string[],
  settings: Record<string, string>,
  stopped = new AbortController().signal,
): Promise<Run> {
  const [stdout, stderr] = [buffer(), buffer()];
  const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...settings };
  const code = await runProgram(program, args, {
    env,
    stdout: stdout.stream,
    stderr: stderr.stream,
    stopped,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function buffer(): { stream: Writable; text: () => string } {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return { stream, text: () => written.join('') };
}
