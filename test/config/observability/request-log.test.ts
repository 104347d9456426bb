import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Logger } from '../../../config/logger.ts';
import { createRequestLog } from '../../../config/observability/request-log.ts';
import type { LoggedRequest } from '../../../domain/accounts/request-log/store.ts';

const requestOf = (n: number): LoggedRequest => ({
  id: `req_${n}`,
  tenant_id: 'ten_1',
  mode: 'test',
  at: new Date(0),
  method: 'GET',
  path: '/v1/charges',
  status: 200,
  duration_ms: 1,
  credential_id: 'key_1',
  error: null,
  body: null,
  answer: null,
});

describe('The request log', () => {
  let batches: number[];
  let warnings: object[];
  const log = { warn: (_: string, fields: object) => warnings.push(fields) } as unknown as Logger;
  beforeEach(() => {
    batches = [];
    warnings = [];
  });

  const sqlThat = (answer: () => Promise<void>) => ({
    query: async (_text: string, [json]: readonly unknown[] = []) => {
      batches.push(JSON.parse(String(json)).length);
      await answer();
      return [];
    },
  });
  const add = (requestLog: ReturnType<typeof createRequestLog>, count: number, texts = {}) => {
    for (let n = 0; n < count; n++) requestLog.add({ ...requestOf(n), ...texts });
  };

  it('writes many requests in one statement, and the rest when the service stops', async () => {
    const requestLog = createRequestLog(sqlThat(async () => {}) as never, log);
    add(requestLog, 700);
    await requestLog[Symbol.asyncDispose]();
    expect(batches).to.deep.equal([500, 200]);
    await requestLog[Symbol.asyncDispose]();
    expect(batches, 'nothing twice').to.deep.equal([500, 200]);
  });

  it('drops a batch that cannot be written, says so, and writes the next', async () => {
    let broken = true;
    const requestLog = createRequestLog(
      sqlThat(async () => {
        if (broken) throw new Error('no connection');
      }) as never,
      log,
    );
    add(requestLog, 3);
    await requestLog.flush();
    expect(warnings).to.deep.equal([{ dropped: 3, error: 'no connection' }]);
    broken = false;
    add(requestLog, 2);
    await requestLog.flush();
    expect(batches).to.deep.equal([3, 2]);
    expect(warnings).to.have.lengthOf(1);
  });

  for (const [what, texts, kept] of [
    ['requests', {}, 5_000],
    ['bytes', { body: 'b'.repeat(2_000), answer: 'a'.repeat(2_000) }, 555],
  ] as const)
    it(`keeps a bounded number of ${what} while the database does not answer`, async () => {
      const gate = Promise.withResolvers<void>();
      const requestLog = createRequestLog(sqlThat(() => gate.promise) as never, log);
      add(requestLog, 1);
      const flushed = requestLog.flush();
      add(requestLog, 20_000, texts);
      await setImmediate();
      expect(batches, 'one batch is under way').to.deep.equal([1]);
      gate.resolve();
      await flushed;
      expect(batches.reduce((sum, size) => sum + size, 0)).to.equal(kept + 1);
    });
});
