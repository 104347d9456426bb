import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

describe('A batch', () => {
  it('that gathers items keeps the process until they are done', async () => {
    const script = `
      import { createBatcher } from '${new URL('../../config/batcher.ts', import.meta.url)}';
      const batcher = createBatcher(async (items) => items, { gatherMs: 15 });
      for (const item of [1, 2, 3]) console.log(await batcher.load(item));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).to.equal('1\n2\n3\n');
  });
});
