import { expect } from 'chai';
import { createChargeWriter } from '../../../config/database/charge-writer.ts';
import { openCharge } from '../../support/charges.ts';
import { memberOf } from '../../support/members.ts';
import { type Stack, useStack } from '../../support/stack.ts';

function countingStatements({ context }: Stack): string[] {
  const statements: string[] = [];
  const { db } = context;
  context.db = {
    em: db.em,
    transaction: () => Promise.reject(new Error('No transaction of several statements is needed.')),
    query: (text, values) => {
      statements.push(text);
      return db.query(text, values);
    },
  };
  return statements;
}

describe('GET /charges/{reference} of a final charge', () => {
  const stack = useStack({ workers: false });

  it('is one round trip, credential included', async () => {
    const workers = stack.startWorkers();
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    await workers[Symbol.asyncDispose](); // their sweeper has statements of its own
    const statements = countingStatements(stack);
    await stack.api.get('/transactions/SV-1'); // the credential is met
    statements.length = 0;
    const { status, json } = await stack.api.get(`/charges/${charge.reference}`);
    expect([status, json.transaction?.status]).to.deep.equal([200, 'succeeded']);
    expect(statements).to.have.length(1);
  });
});

describe('POST /charges', () => {
  const stack = useStack({ workers: false });

  it('writes a charge of any credential in one round trip, with or without an Idempotency-Key, and replays it in two', async () => {
    const { secret_key_test: secret, public_key_test: shown } = stack.tenant;
    const { token } = await memberOf(stack, stack.tenant, 'developer');
    const statements = countingStatements(stack);
    stack.context.createCharge = createChargeWriter({ sql: stack.context.db, enqueue() {} });
    const body = { amount_kobo: 10_000, email: 'ada@example.com' };
    for (const key of [secret, shown, token]) {
      const create = (options: object = {}) =>
        stack.api.post('/charges', body, { key, ...options });
      await create(); // a credential this process has not met costs one more
      statements.length = 0;
      expect((await create()).status).to.equal(201);
      expect(statements).to.have.length(1);
      const once = { idempotencyKey: `once-${key.slice(0, 6)}` };
      expect((await create(once)).status).to.equal(201);
      expect(statements).to.have.length(2);
      expect((await create(once)).headers.get('idempotent-replayed')).to.equal('true');
      expect(statements).to.have.length(4);
    }
  });
});
