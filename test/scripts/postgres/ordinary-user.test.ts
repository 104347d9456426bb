import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { asOrdinary, isRoot, itAsBoth, itAsOrdinary, nobody, useHome } from './support.ts';

describe('The local PostgreSQL as an ordinary user', function () {
  this.timeout(60_000);
  const home = useHome();

  itAsOrdinary('starts and stops in a folder of its own', async () => {
    const dir = home.at('ordinary');
    await mkdir(dir);
    if (isRoot) await chown(dir, nobody.uid, nobody.gid);
    expect(await asOrdinary(dir)).to.equal('up');
    expect((await stat(join(dir, 'data'))).uid).to.equal(isRoot ? nobody.uid : process.getuid?.());
  });

  itAsBoth('is given back a folder that root started once', async () => {
    const dir = home.at('ordinary');
    await (await home.start(dir)).stop();
    expect(await asOrdinary(dir)).to.equal('up');
  });

  itAsOrdinary('says so when the folder cannot be written to', async () => {
    const dir = home.at('read-only');
    await mkdir(dir);
    await chmod(dir, 0o555);
    expect(await asOrdinary(dir)).to.equal(
      `Cannot write to ${dir}: permission denied; set LOCAL_DIR to a folder you can write to.`,
    );
    expect(await asOrdinary(join(dir, 'deeper'))).to.match(
      /^Cannot write to .*: permission denied; /,
    );
  });
});
