import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type User = { name: string; uid: number; gid: number };

/** Spawn options of PostgreSQL's programs: without our secrets, PG* variables and folder. */
export function asUser(user: User | undefined) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  return { cwd: '/', env, ...(user && { uid: user.uid, gid: user.gid }) };
}

/** Runs a program to its end, as another user if named. A failure is an answer. */
export async function run(file: string, args: string[], user?: User) {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, asUser(user));
    return { ok: true, output: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { ok: false, output: stderr?.trim() || message };
  }
}
