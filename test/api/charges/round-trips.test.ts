import { expect } from 'chai';
import type { Answer } from '../../support/api.ts';
import { openCharge } from '../../support/charges.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';
import { statementsOf } from '../../support/statements-of.ts';

describe('Round trips to the database', () => {
  const stack = useStack({ workers: false });

  async function expectTrips(trips: number, status: number, send: () => Promise<Answer>) {
    const { db, requestLog } = stack.context;
    await requestLog.flush(); // which has a statement of its own, now and then
    const { transaction } = db;
    db.transaction = () => Promise.reject(new Error('It is to need no transaction.'));
    const statements = await statementsOf(stack, async () =>
      expect((await send()).status).to.equal(status),
    ).finally(() => {
      db.transaction = transaction;
    });
    expect(statements).to.have.length(trips);
  }

  it('of GET /charges/{reference} of a final charge are one, credential included', async () => {
    const workers = stack.startWorkers();
    const { reference } = await openCharge(stack);
    await stack.control.pay(reference);
    await stack.settle();
    await workers[Symbol.asyncDispose](); // their sweeper has statements of its own
    await stack.api.get('/transactions/SV-1'); // the credential is met
    await expectTrips(1, 200, () => stack.api.get(`/charges/${reference}`));
  });

  it('of POST /charges are one for any credential, with or without an Idempotency-Key, and two for a replay', async () => {
    const { secret_key_test: secret, public_key_test: shown } = stack.tenant;
    const { token } = await memberOf(stack, stack.tenant, 'developer');
    const body = { amount_kobo: 10_000, email: 'ada@example.com' };
    for (const key of [secret, shown, token]) {
      const create = (options: object = {}) =>
        stack.api.post('/charges', body, { key, ...options });
      const once = () => create({ idempotencyKey: `once-${key.slice(0, 6)}` });
      await create(); // a credential this process has not met costs one more
      await expectTrips(1, 201, create);
      await expectTrips(1, 201, once);
      await expectTrips(2, 201, once);
    }
  });
});
