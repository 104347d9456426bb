import { expect } from 'chai';
import { type Stack, startStack } from '../../support/stack.ts';

describe('POST /charges', () => {
  let stack: Stack;
  let statements: string[];
  before(async () => {
    stack = await startStack({ workers: false });
    const { db } = stack.context;
    statements = [];
    stack.context.db = {
      transaction: () => Promise.reject(new Error('A charge needs no transaction of several statements.')),
      query: (text, values) => {
        statements.push(text);
        return db.query(text, values);
      },
    };
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    await create(); // a key this process has not met costs one more
    statements.length = 0;
  });

  const create = (idempotencyKey?: string) =>
    stack.api.post('/charges', { amount_kobo: 10_000, email: 'ada@example.com' }, idempotencyKey ? { idempotencyKey } : {});

  it('writes a charge in one round trip, with and without an Idempotency-Key', async () => {
    expect((await create()).status).to.equal(201);
    expect((await create('once')).status).to.equal(201);
    expect(statements).to.have.length(2);
  });

  it('replays one in two', async () => {
    expect((await create('once')).headers.get('idempotent-replayed')).to.equal('true');
    expect(statements).to.have.length(2);
  });
});
