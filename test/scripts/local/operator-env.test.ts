import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { operatorEnv } from '../../../scripts/local/operator-env.ts';
import { addressesOf } from '../../../scripts/local/stack.ts';

describe('The settings of commands', () => {
  it('find a local service below a path where it answers', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'local-'));
    try {
      const addresses = addressesOf(4700, { basePath: '/collect' });
      expect(addresses).to.deep.equal({
        base_url: 'http://localhost:4700/collect/v1',
        dashboard_url: 'http://localhost:4700/collect/dashboard',
        board_url: 'http://localhost:4700/collect/ops/queues',
      });
      const demo = { ...addresses, database_url: 'postgres://localhost/payments' };
      await writeFile(join(dir, 'demo.json'), JSON.stringify(demo));
      const { port, basePath, publicUrl } = await operatorEnv({ LOCAL_DIR: dir });
      expect({ port, basePath, publicUrl }).to.deep.equal({
        ...{ port: 4700, basePath: '/collect' },
        publicUrl: 'http://localhost:4700/collect',
      });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
