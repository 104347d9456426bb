import { expect } from 'chai';
import winston from 'winston';
import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { PASSWORD_COST } from '../../domain/accounts/token/credentials.ts';
import { newDatabase } from '../support/postgres.ts';

describe('The context', () => {
  it('hashes passwords at full cost and reads the real clock unless a caller replaces them', async () => {
    const env = readEnv({
      DATABASE_URL: await newDatabase(),
      MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const log = winston.createLogger({ silent: true });
    await using context = await openContext(env, { log });
    expect(context.passwordCost).to.deep.equal(PASSWORD_COST);
    expect(Math.abs(context.clock().getTime() - Date.now())).to.be.below(10_000);
  });
});
