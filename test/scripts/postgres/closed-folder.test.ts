import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removePostgres } from '../../../scripts/local/postgres-place.ts';
import {
  dataFolders,
  inChild,
  itAsRoot,
  killOnceUp,
  query,
  useHome,
  withTmpdir,
} from './support.ts';

describe('The local PostgreSQL as root, below a folder only root may enter,', function () {
  this.timeout(60_000);
  const home = useHome();

  let closed: string;
  let temp: string;

  before(async () => {
    closed = home.at('closed');
    temp = home.at('temp');
    await mkdir(closed, { mode: 0o700 });
    await mkdir(temp);
  });

  itAsRoot('keeps its data elsewhere, says where, and finds it again', () =>
    withTmpdir(temp, async () => {
      const dir = join(closed, 'stack');
      const first = await home.start(dir);
      await first.createDatabase('mark');
      await first.stop();
      const [place] = await dataFolders(temp);
      expect(await readFile(join(dir, 'postgres-data-is-elsewhere.txt'), 'utf8')).to.include(
        `\n${join(temp, place!)}\n`,
      );
      await using second = await home.start(dir);
      expect(await query(second, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    }),
  );

  itAsRoot('takes an orphan over there too', () =>
    withTmpdir(temp, async () => {
      const dir = join(closed, 'stack');
      await killOnceUp(inChild(dir, { guarded: false }));
      await (await home.start(dir)).stop();
      expect(home.lines.join()).to.include('left behind');
    }),
  );

  itAsRoot('starts anew when the folder was removed and made again', () =>
    withTmpdir(temp, async () => {
      const dir = join(closed, 'stack');
      await rm(dir, { recursive: true });
      await using postgres = await home.start(dir);
      expect(
        await query(postgres, 'postgres', "select 1 from pg_database where datname = 'mark'"),
      ).to.deep.equal([]);
    }),
  );

  itAsRoot('removes what it keeps elsewhere with the folder', () =>
    withTmpdir(temp, async () => {
      await removePostgres(join(closed, 'stack'));
      expect(await dataFolders(temp)).to.deep.equal([]);
      expect(await readdir(closed)).to.deep.equal([]);
    }),
  );

  itAsRoot('passes over a TMPDIR that is closed as well', () =>
    withTmpdir(closed, async () => {
      const dir = join(closed, 'closed-tmpdir');
      await (await home.start(dir)).stop();
      const note = await readFile(join(dir, 'postgres-data-is-elsewhere.txt'), 'utf8');
      expect(note).to.match(/^(\/var)?\/tmp\/payment-collection-data-/m);
      await removePostgres(dir);
    }),
  );

  itAsRoot('passes over a TMPDIR that others may write in', () =>
    withTmpdir(home.at('loose'), async () => {
      await mkdir(tmpdir());
      await chmod(tmpdir(), 0o777);
      const dir = join(closed, 'loose-tmpdir');
      await (await home.start(dir)).stop();
      expect(await dataFolders(tmpdir())).to.deep.equal([]);
      await removePostgres(dir);
    }),
  );
});
