import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandOf, hasEnded } from '../../../scripts/local/postgres-process.ts';
import { inChild, killOnceDrafting, killOnceUp, query, serverPid, useHome } from './support.ts';

describe('The local PostgreSQL, when our process is killed,', function () {
  this.timeout(60_000);
  const home = useHome();

  it('ends by itself', async () => {
    const dir = home.at('guarded');
    await killOnceUp(inChild(dir, {}));
    expect(await hasEnded(await serverPid(dir), 10_000)).to.equal(true);
  });

  it('starts again while the old one is still ending', async () => {
    const dir = home.at('guarded');
    await killOnceUp(inChild(dir, {}));
    await (await home.start(dir)).stop();
  });

  it('is taken over where it lives on', async () => {
    const dir = home.at('orphan');
    await killOnceUp(inChild(dir, { guarded: false }));
    const orphan = await serverPid(dir);
    expect(await commandOf(orphan)).to.include(dir);
    await using postgres = await home.start(dir);
    expect(home.lines).to.deep.equal([
      `Stopping the PostgreSQL that an earlier run left behind (process ${orphan}).`,
    ]);
    expect(await hasEnded(orphan, 0)).to.equal(true);
    expect(await query(postgres, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('starts anew after a first start that was cut off', async () => {
    const dir = home.at('cut-off');
    await mkdir(dir);
    await killOnceDrafting(dir);
    expect(await readdir(dir)).not.to.include('data');
    await (await home.start(dir)).stop();
  });

  it('clears away what cut off starts left', async () => {
    const dir = home.at('drafts');
    await mkdir(join(dir, 'data-draft-1', 'data', 'base'), { recursive: true });
    await (await home.start(dir)).stop();
    expect((await readdir(dir)).sort()).to.deep.equal([
      'data',
      'postgres.log',
      'postgres.password',
    ]);
  });
});
