import { expect } from 'chai';
import winston from 'winston';
import { openContext } from '../../config/context.ts';
import { type Env, readEnv } from '../../config/env.ts';
import { PASSWORD_COST } from '../../domain/accounts/token/credentials.ts';
import { newDatabase } from '../support/postgres.ts';
import { settingsFor } from '../support/settings.ts';

describe('The context', () => {
  let env: Env;
  before(async () => {
    env = readEnv(settingsFor(await newDatabase()));
  });
  const log = winston.createLogger({ silent: true });

  it('hashes passwords at full cost and reads the real clock unless a caller replaces them', async () => {
    await using context = await openContext(env, { log });
    expect(context.passwordCost).to.deep.equal(PASSWORD_COST);
    expect(Math.abs(context.clock().getTime() - Date.now())).to.be.below(10_000);
  });

  it('writes the requests that wait to be logged before it closes', async () => {
    const first = await openContext(env, { log });
    first.requestLog.add({
      ...{ id: 'req_1', tenant_id: 'ten_1', mode: 'test', at: new Date(), method: 'GET' },
      ...{ path: '/v1/charges', status: 200, duration_ms: 3, credential_id: 'key_1', error: null },
      ...{ body: null, answer: null },
    });
    await first[Symbol.asyncDispose]();
    await using second = await openContext(env, { log });
    expect(await second.db.query('select id from request_log')).to.deep.equal([{ id: 'req_1' }]);
  });
});
