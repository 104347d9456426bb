import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { SetupError } from '../../config/setup-error.ts';

/** Whom PostgreSQL runs as when we are root, which it refuses to be. Everywhere here `undefined` means: as ourselves. */
export interface RunAs {
  name: string;
  uid: number;
  gid: number;
}

const ownPostgres = 'start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own';

/** The user for PostgreSQL when we are root: `postgres` where there is one, else `nobody`. */
export async function findRunAs(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map(parseUser);
  const user =
    users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (!user)
    throw new SetupError(
      `PostgreSQL refuses to run as root and this system has no user postgres or nobody: ${ownPostgres}.`,
    );
  return user;
}

function parseUser(line: string): RunAs {
  const [name = '', , uid, gid] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid) };
}

/**
 * Spawn options of every program run for PostgreSQL. Our environment holds secrets and PG* variables, and our working folder may be
 * closed to that user: it gets neither.
 */
export function asUser(user: RunAs | undefined) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  return { cwd: '/', env, ...(user && { uid: user.uid, gid: user.gid }) };
}

/** Starts something as that user; root without the right to become another user (some containers) gets a sentence. */
export function spawnAs<T>(
  user: RunAs | undefined,
  start: (options: ReturnType<typeof asUser>) => T,
): T {
  try {
    return start(asUser(user));
  } catch (error) {
    if (!user) throw error;
    const reason = (error as Error).message;
    throw new SetupError(
      `PostgreSQL refuses to run as root, and root may not become ${user.name} here (${reason}): ${ownPostgres}.`,
    );
  }
}

export interface Ended {
  ok: boolean;
  /** All it printed, or why it could not start. */
  output: string;
}

/** Runs a program to its end. A failure is an answer, not an exception. */
export function run(file: string, args: string[], user?: RunAs): Promise<Ended> {
  const child = spawnAs(user, (options) =>
    spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code, signal) =>
      resolve({ ok: code === 0, output: output.trim() || `ended with ${code ?? signal}` }),
    );
  });
}

/** Whether that user may enter a folder. Tried, not computed: permissions of every parent, ACLs and mounts all have a say. */
export async function canEnter(folder: string, user: RunAs): Promise<boolean> {
  const { ok } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);
  return ok;
}
