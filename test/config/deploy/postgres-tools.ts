import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/local/free-port.ts';
import { run } from '../../../scripts/local/run-as.ts';

/** PostgreSQL with its own tools, as a distribution packages it; undefined: not on this machine. */
export const postgresTools: string | undefined = [
  ...(existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => `/usr/lib/postgresql/${version}/bin`),
  ...(process.env.PATH ?? '').split(':'),
].find((dir) => ['initdb', 'pg_ctl', 'pg_basebackup'].every((tool) => existsSync(join(dir, tool))));

/** The server does not run as root. */
const user = process.getuid?.() === 0 ? { name: 'nobody', uid: 65_534, gid: 65_534 } : undefined;

/** A server that archives its log, so that its data can be restored to any moment. */
export interface ArchivingPostgres extends AsyncDisposable {
  url(database: string): string;
  /** Takes a base backup, as an operator does. */
  backUp(): Promise<void>;
  /** Ends the server at once and deletes its data. */
  lose(): Promise<void>;
  /** Brings back the data of the base backup and of the archived log up to a moment. */
  restore(until: Date): Promise<void>;
  /** Makes a replica, which follows while it runs, and returns its port. */
  replicate(): Promise<number>;
  stopReplica(): Promise<void>;
  /** Starts the replica where the primary was. */
  startReplica(): Promise<void>;
  /** Makes the replica the primary. */
  promoteReplica(): Promise<void>;
}

export async function startArchivingPostgres(): Promise<ArchivingPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'payments-restore-'));
  const [data, archive, backup] = ['data', 'archive', 'backup'].map((name) => join(dir, name));
  const port = await freePort();
  const tool = async (name: string, ...args: string[]) => {
    const { ok, output } = await run(join(postgresTools!, name), args, user);
    const log = await readFile(join(dir, 'log'), 'utf8').catch(() => '');
    if (!ok) throw new Error(`${name} failed: ${output}\n${log.split('\n').slice(-12).join('\n')}`);
  };
  const replica = join(dir, 'replica');
  const controlOf = (folder: string, ...args: string[]) =>
    tool('pg_ctl', '-D', folder, '-w', ...args);
  const control = (...args: string[]) => controlOf(data!, ...args);
  const startIn = (folder: string, ...args: string[]) =>
    controlOf(folder, '-l', join(dir, 'log'), '-t', '60', ...args, 'start');
  const start = () => startIn(data!);
  const copyTo = (folder: string, ...args: string[]) =>
    tool(
      'pg_basebackup',
      ...['-h', '127.0.0.1', '-p', String(port), '-U', 'payments'],
      ...['-D', folder, '--checkpoint=fast', '--no-sync', ...args],
    );
  const own = (path: string) => (user ? chown(path, user.uid, user.gid) : undefined);

  await own(dir);
  await mkdir(archive!);
  await own(archive!);
  await tool('initdb', '-D', data!, '-U', 'payments', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  await appendFile(
    join(data!, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off
archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  );
  await start();
  return {
    url: (database) => `postgres://payments@127.0.0.1:${port}/${database}`,
    backUp: () => copyTo(backup!),
    async lose() {
      await control('-m', 'immediate', 'stop');
      await rm(data!, { recursive: true });
    },
    async restore(until) {
      await cp(backup!, data!, { recursive: true, preserveTimestamps: true });
      await appendFile(
        join(data!, 'postgresql.conf'),
        `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${until.toISOString().replace('Z', '+00')}'
recovery_target_action = 'promote'\n`,
      );
      await writeFile(join(data!, 'recovery.signal'), '');
      if (user) await run('/bin/chown', ['-R', `${user.uid}:${user.gid}`, data!]);
      await run('/bin/chmod', ['0700', data!]);
      await start();
    },
    async replicate() {
      await copyTo(replica, '--write-recovery-conf');
      const port = await freePort();
      await startIn(replica, '-o', `-p ${port}`);
      return port;
    },
    stopReplica: () => controlOf(replica, 'stop'),
    startReplica: () => startIn(replica),
    promoteReplica: () => controlOf(replica, 'promote'),
    async [Symbol.asyncDispose]() {
      await controlOf(replica, '-m', 'immediate', 'stop').catch(() => {});
      await control('-m', 'immediate', 'stop').catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}
