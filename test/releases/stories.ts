import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { releases, unpackVersion } from '../../scripts/chaos/other-version.ts';
import { run } from '../../scripts/local/run-as.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `--no-package`: its files would be added to those that are named. */
const OPTIONS = [
  ...['--no-package', '--require', 'test/support/suite.ts', '--timeout', '60000'],
  ...['--parallel', '--jobs', '3'],
];

describe('The stories of the release before, on the schema of this version', () => {
  it('pass', async function () {
    const [newest] = await releases();
    if (!newest) return skip(this, 'this clone has no commit "Release …": fetch its history');
    const [version, commit] = newest;
    if (await hasMigrationsOf(commit)) return skip(this, `no migration was added since ${version}`);
    await using scope = new AsyncDisposableStack();
    const dir = await mkdtemp(join(tmpdir(), 'payments-release-'));
    scope.defer(() => rm(dir, { recursive: true, force: true }));
    const folder = await unpackVersion(commit, dir);
    const tell = async (): Promise<number> => {
      const tests = spawn('npx', ['mocha', ...OPTIONS, 'test/flows/**/*.test.ts'], {
        ...{ cwd: folder, stdio: 'inherit' },
        env: { ...process.env, SCHEMA_OF: root },
      });
      const [code] = await once(tests, 'exit');
      return code;
    };
    // Twice: stories of 1.0.0 expect webhooks in an order in which they need not arrive.
    const code = (await tell()) && (await tell());
    expect(code, `the stories of ${version}`).to.equal(0);
  });
});

async function hasMigrationsOf(commit: string): Promise<boolean> {
  const { ok } = await run('git', [
    '-C',
    root,
    'diff',
    '--quiet',
    commit,
    '--',
    'config/migrations',
  ]);
  return ok;
}

function skip(test: Mocha.Context, reason: string): void {
  process.stdout.write(`\n*** SKIPPED: ${reason} ***\n`);
  test.skip();
}
