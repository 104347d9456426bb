import { expect } from 'chai';
import { openCharge } from '../../support/charges.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /charges/{reference} of a final charge', () => {
  const stack = useStack({ workers: false });

  it('is one round trip, credential included', async () => {
    const workers = stack.startWorkers();
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    await workers[Symbol.asyncDispose](); // their sweeper has statements of its own
    const statements: string[] = [];
    const { db } = stack.context;
    stack.context.db = {
      em: db.em,
      transaction: () => Promise.reject(new Error('A read needs no transaction.')),
      query: (text, values) => {
        statements.push(text);
        return db.query(text, values);
      },
    };
    await stack.api.get('/transactions/SV-1'); // the credential is met
    statements.length = 0;
    const { status, json } = await stack.api.get(`/charges/${charge.reference}`);
    expect({ status, transaction: json.transaction?.status }).to.deep.equal({
      status: 200,
      transaction: 'succeeded',
    });
    expect(statements).to.have.length(1);
  });
});
