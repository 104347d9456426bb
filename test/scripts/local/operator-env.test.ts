import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { basicAuthorization, createOperators } from '../../../config/operators.ts';
import { hashPassword } from '../../../domain/accounts/token/credentials.ts';
import { operatorEnv } from '../../../scripts/local/operator-env.ts';
import { addressesOf } from '../../../scripts/local/stack.ts';

const own = { operators: '', board_user: 'operator', board_password: 'ours' };

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
      const demo = { ...addresses, ...own, database_url: 'postgres://localhost/payments' };
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

  describe('sign in', () => {
    let theirs: string;
    let dir: string;
    before(async () => {
      dir = await mkdtemp(join(tmpdir(), 'local-'));
      theirs = `ada:${await hashPassword('a:da', { memory: 64, passes: 1, parallelism: 1 })}`;
    });
    after(() => rm(dir, { recursive: true }));

    const settings = { OPERATORS: '', OPERATOR_USER: 'ada', OPERATOR_PASSWORD: 'a:da' };

    /** Whom the running stack takes the caller for; null: for nobody. */
    async function signedIn(stack: object): Promise<string | null> {
      const demo = { base_url: 'http://localhost:4700/v1', database_url: 'postgres://localhost/p' };
      await writeFile(join(dir, 'demo.json'), JSON.stringify({ ...demo, ...stack }));
      const env = await operatorEnv({ LOCAL_DIR: dir, ...settings });
      const { nameFrom } = createOperators(env);
      return (await nameFrom(basicAuthorization(env.operator))) ?? null;
    }

    it('as the operator that a local stack made', async () => {
      expect(await signedIn(own)).to.equal('operator');
    });

    it('as whoever runs them, where the local stack has OPERATORS', async () => {
      const stack = { board_user: null, board_password: null };
      expect(await signedIn({ ...stack, operators: theirs })).to.equal('ada');
      expect(await signedIn({ ...stack, operators: theirs.replace('ada', 'bisi') })).to.equal(null);
    });
  });
});
