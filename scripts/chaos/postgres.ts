import { chown, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcesses } from '../bench/cpu.ts';
import { openSession, queryOnce } from '../bench/session.ts';
import { signalProcess } from '../local/child.ts';
import { freePort } from '../local/free-port.ts';
import { type LocalPostgres, removePostgres, startPostgres } from '../local/postgres.ts';
import { run } from '../local/run-as.ts';
import { until } from '../local/until.ts';

/** Enough log for a replica to begin from a copy; checkpoints often, so that it stays small. */
const settings = ['wal_keep_size=128MB', 'max_wal_size=256MB'];
const REPLICATES_WITHIN_MS = 30_000;
const TAKEN_AT_ONCE = 10;

/** A PostgreSQL below `dir` that fails in every way a database server does. */
export async function startChaosPostgres(dir: string) {
  const homes: string[] = [];
  const newHome = async () => {
    const home = join(dir, `home-${homes.length + 1}`);
    homes.push(home);
    await mkdir(home);
    return home;
  };
  const startIn = (home: string, port: number, more: string[] = []) =>
    startPostgres({ dir: home, port, durable: true, settings: [...settings, ...more] });
  let home = await newHome();
  let primary = await startIn(home, await freePort());
  let replica: { home: string; server: LocalPostgres } | undefined;
  const occupied: AsyncDisposable[] = [];
  const admin = () => primary.url('postgres');
  const pidOf = async () =>
    Number.parseInt(await readFile(join(home, 'data/postmaster.pid'), 'utf8').catch(() => ''), 10);

  return {
    url: (database: string) => primary.url(database),
    /** Ends at once, without a checkpoint; what was committed is on disk. */
    async crash() {
      process.kill(await pidOf(), 'SIGQUIT');
      await primary.stop();
    },
    async start() {
      if (await queryOnce(admin(), 'select 1').catch(() => undefined)) return;
      await primary.stop();
      primary = await startIn(home, primary.port);
    },
    /** Takes every connection there is, until `release`. */
    async occupy() {
      const take = () => openSession({ connectionString: admin() }).catch(() => undefined);
      for (let isFull = false; !isFull; ) {
        const taken = await Promise.all(Array.from({ length: TAKEN_AT_ONCE }, take));
        occupied.push(...taken.filter((session) => session !== undefined));
        isFull = taken.includes(undefined);
      }
    },
    async release() {
      await Promise.all(occupied.splice(0).map((session) => session[Symbol.asyncDispose]()));
    },
    async signalAll(signal: NodeJS.Signals) {
      const server = await pidOf();
      const running = [...(await readProcesses())];
      const children = running.filter(([, { parent }]) => parent === server).map(([pid]) => pid);
      // First the parent, which would start new processes.
      for (const pid of [server, ...children]) signalProcess(pid, signal);
    },
    /** Makes a replica that has every commit that is answered from now on. */
    async replicate() {
      const replicaHome = await newHome();
      await copyData(admin(), home, replicaHome);
      const { port, password } = new URL(admin());
      const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
      const server = await startIn(replicaHome, await freePort(), [
        `primary_conninfo=${conninfo} application_name=replica`,
      ]);
      replica = { home: replicaHome, server };
      await queryOnce(admin(), `alter system set synchronous_standby_names = 'replica'`);
      await queryOnce(admin(), 'select pg_reload_conf()');
      await untilSynchronous(admin());
    },
    async promote() {
      const oldHome = home;
      ({ home, server: primary } = replica!);
      replica = undefined;
      await queryOnce(admin(), 'select pg_promote(true, 30)');
      await removePostgres(oldHome);
    },
    async [Symbol.asyncDispose]() {
      for (const server of [replica?.server, primary]) await server?.stop();
      for (const each of homes) await removePostgres(each);
    },
  };
}

/** A base backup by the server's own functions: its package has no pg_basebackup. */
async function copyData(connectionString: string, from: string, to: string): Promise<void> {
  await using session = await openSession({ connectionString });
  await session.query(`select pg_backup_start('replica', true)`);
  // Files that vanish meanwhile are in the log.
  await run('cp', ['-a', join(from, 'data'), join(to, 'data')]);
  const [label] = await session.query<{ text: string }>(
    'select labelfile as text from pg_backup_stop(false)',
  );
  const { uid, gid } = await stat(join(from, 'data'));
  for (const [name, text] of Object.entries({ backup_label: label!.text, 'standby.signal': '' })) {
    await writeFile(join(to, 'data', name), text);
    await chown(join(to, 'data', name), uid, gid);
  }
  await rm(join(to, 'data/postmaster.pid'), { force: true });
  await copyFile(join(from, 'postgres.password'), join(to, 'postgres.password'));
}

/** Everything committed so far is on the replica's disk too, and everything from now on. */
async function untilSynchronous(adminUrl: string): Promise<void> {
  let end: string | undefined;
  const isFlushed = await until({ everyMs: 50, withinMs: REPLICATES_WITHIN_MS }, async () => {
    const [state] = await queryOnce<{ flushed: boolean; end: string }>(
      adminUrl,
      `select coalesce(flush_lsn >= $1::pg_lsn, false) as flushed, pg_current_wal_lsn()::text as end
       from pg_stat_replication where sync_state = 'sync'`,
      [end ?? null],
    );
    end ??= state?.end;
    return state?.flushed || undefined;
  });
  if (!isFlushed) throw new Error('The replica does not follow its primary.');
}
