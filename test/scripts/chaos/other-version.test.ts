import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SetupError } from '../../../config/setup-error.ts';
import { unpackVersion } from '../../../scripts/chaos/other-version.ts';

describe('Another version of the service', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-version-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  it('is unpacked whole, with the packages of this one', async function () {
    const isRepository = await access(new URL('../../../.git', import.meta.url)).then(
      () => true,
      () => false,
    );
    if (!isRepository) return this.skip();
    const folder = await unpackVersion('HEAD', dir);
    expect(await readFile(join(folder, 'api/main.ts'), 'utf8')).to.include('runUntilStopped');
    await access(join(folder, 'node_modules/express'));
  });

  it('is refused in a sentence where there is none', async () => {
    const refused = await unpackVersion('no-such-version', dir).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(SetupError);
    expect((refused as Error).message).to.match(/^There is no version no-such-version to run/);
  });
});
