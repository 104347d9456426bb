import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { complaintOf, useHome } from './support.ts';

describe('The binaries of the local PostgreSQL', function () {
  this.timeout(60_000);
  const home = useHome();

  it('that are missing make one sentence', async () => {
    const complaint = await complaintOf(
      home.start(home.at('no-binaries'), {}, { packageDir: home.at('nowhere') }),
    );
    expect(complaint).to.match(
      /^The PostgreSQL binaries for \S+ are missing \(.*\): run `npm ci` again .* DATABASE_URL .*\.$/,
    );
  });

  it('that are not executable make one sentence', async () => {
    const packageDir = await fakePackage('#!/bin/sh\n', 0o644);
    expect(await complaintOf(home.start(home.at('no-binaries'), {}, { packageDir }))).to.include(
      'postgres is absent or not executable',
    );
  });

  it('that do not run here make one sentence', async () => {
    const packageDir = await fakePackage(
      '#!/bin/sh\necho libicui18n.so.60: cannot open >&2; exit 127\n',
      0o755,
    );
    const complaint = await complaintOf(home.start(home.at('no-binaries'), {}, { packageDir }));
    expect(complaint).to.match(
      /^The PostgreSQL binaries of npm do not run on this system \(libicui18n.so.60: cannot open\): run `npm ci` again/,
    );
  });

  async function fakePackage(content: string, mode: number): Promise<string> {
    const packageDir = await mkdtemp(home.at('fake-'));
    await mkdir(join(packageDir, 'native', 'bin'), { recursive: true });
    for (const name of ['postgres', 'initdb'])
      await writeFile(join(packageDir, 'native', 'bin', name), content, { mode });
    return packageDir;
  }
});
