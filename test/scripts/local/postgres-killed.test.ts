import { mkdir, readdir, watch } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import {
  killWhenUp,
  processesNaming,
  query,
  serverPid,
  startInProcess,
  useHome,
} from './postgres-fixture.ts';

describe('The local PostgreSQL, when its process is killed,', function () {
  this.timeout(60_000);
  const home = useHome();

  it('stops by itself', async () => {
    const dir = home.path('guarded');
    await killWhenUp(startInProcess(dir));
    await until('its end', async () => (await processesNaming(dir)).length === 0);
  });

  it('starts again while the old one is still stopping', async () => {
    const dir = home.path('guarded');
    await killWhenUp(startInProcess(dir));
    await (await home.start(dir)).stop();
  });

  it('stops a server that was left running, and starts again', async () => {
    const dir = home.path('orphan');
    const child = startInProcess(dir);
    await until('its server', async () => (await serverPid(dir)) > 0);
    const orphan = await serverPid(dir);
    const [guard] = await until('its guard', async () => {
      const guards = await processesNaming(`kill -INT "$1"\0sh\0${orphan}\0`);
      return guards.length > 0 && guards;
    });
    process.kill(guard!, 'SIGKILL');
    await killWhenUp(child);
    await using postgres = await home.start(dir);
    expect(home.lines).to.deep.equal([
      `Stopping the PostgreSQL that an earlier run left behind (process ${orphan}).`,
    ]);
    expect(await query(postgres, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('starts anew after a first start that was cut off', async () => {
    const dir = home.path('cut-off');
    await mkdir(dir);
    const child = startInProcess(dir);
    for await (const { filename } of watch(dir)) if (filename?.startsWith('data-draft-')) break;
    child.kill('SIGKILL');
    await mkdir(join(dir, 'data-draft-1', 'data', 'base'), { recursive: true });
    await (await home.start(dir)).stop();
    expect(await readdir(dir)).to.have.members(['data', 'postgres.log', 'postgres.password']);
  });
});
