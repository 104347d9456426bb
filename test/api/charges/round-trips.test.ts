import { expect } from 'chai';
import { createChargeWriter } from '../../../config/database/charge-writer.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

describe('POST /charges', () => {
  const stack = useStack({ workers: false });
  let statements: string[];
  let keys: string[];
  before(async () => {
    const { secret_key_test: secret, public_key_test: shown } = stack.tenant;
    keys = [secret, shown, (await memberOf(stack, stack.tenant, 'developer')).token];
    const { db } = stack.context;
    statements = [];
    stack.context.db = {
      em: db.em,
      transaction: () =>
        Promise.reject(new Error('A charge needs no transaction of several statements.')),
      query: (text, values) => {
        statements.push(text);
        return db.query(text, values);
      },
    };
    stack.context.createCharge = createChargeWriter({ sql: stack.context.db, enqueue() {} });
  });
  beforeEach(async () => {
    for (const key of keys) await create(key); // a credential this process has not met costs one more
    statements.length = 0;
  });

  const create = (key: string, idempotencyKey?: string) =>
    stack.api.post(
      '/charges',
      { amount_kobo: 10_000, email: 'ada@example.com' },
      idempotencyKey ? { key, idempotencyKey } : { key },
    );

  for (const [index, who] of ['a secret key', 'a public key', 'a member’s token'].entries()) {
    it(`writes a charge of ${who} in one round trip, with or without an Idempotency-Key, and replays it in two`, async () => {
      expect((await create(keys[index]!)).status).to.equal(201);
      expect(statements).to.have.length(1);
      const idempotencyKey = `once-${index}`;
      expect((await create(keys[index]!, idempotencyKey)).status).to.equal(201);
      expect(statements).to.have.length(2);
      expect(
        (await create(keys[index]!, idempotencyKey)).headers.get('idempotent-replayed'),
      ).to.equal('true');
      expect(statements).to.have.length(4);
    });
  }
});
