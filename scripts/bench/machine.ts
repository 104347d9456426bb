import { cpus, totalmem, type } from 'node:os';
import type { Context } from '../../config/context.ts';

/** What figures of this machine rest on, in one line. */
export async function machineLine({ db }: Context): Promise<string> {
  const [postgres] = await db.query<{ server_version: string }>('show server_version');
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cores.length} cores (${cores[0]?.model.trim()}), ${memory}, ${type()}, Node ${process.version}, PostgreSQL ${postgres?.server_version}`;
}
