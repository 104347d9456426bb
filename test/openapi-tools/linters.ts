import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, orSkipped, writeDocument } from './tools.ts';

/** By the package on npm: the options with which it fails at the smallest warning. */
const linters = {
  '@redocly/cli@2.77.0': ['--extends=recommended-strict'],
  '@stoplight/spectral-cli@6.16.3': ['--ruleset=ruleset.json', '--fail-severity=hint'],
};

describe('The OpenAPI document', () => {
  for (const [linter, options] of Object.entries(linters))
    it(`gives ${linter} nothing to warn of`, async function () {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'linted-'));
      const npx = (...more: string[]) =>
        command(folder.path, 'npx', ['-y', linter, ...more], quiet);
      if (!(await orSkipped(linter, () => npx('--version')))) this.skip();
      const document = await writeDocument(folder.path, 'https://pay.shop.ng/v1');
      await writeFile(join(folder.path, 'ruleset.json'), '{ "extends": "spectral:oas" }');
      await npx('lint', document, ...options);
    });
});

const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
