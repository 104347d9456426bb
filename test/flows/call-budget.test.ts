import { expect } from 'chai';
import { newCharge } from '../support/charges.ts';
import { startStack } from '../support/stack.ts';

describe('A call budget that is used up', () => {
  it('delays payments: no try is used up and no charge fails', async () => {
    await using stack = await startStack({
      env: { budgets: { sandbox: { test: { perMinute: 3 } } } },
    });
    const charges = [];
    for (let made = 0; made < 5; made++) charges.push(await newCharge(stack));
    await stack.settle();
    const attempts = await stack.context.db.query<Record<string, unknown>>(
      'select * from attempts order by status, id',
    );
    expect(attempts.map(({ status }) => status)).to.deep.equal([
      'open',
      'open',
      'open',
      'queued',
      'queued',
    ]);
    for (const waiting of attempts.slice(3))
      expect(waiting).to.include({ tries: 1, snoozes: 1, sent_at: null });
    expect((await stack.control.stats()).paystack!.creates).to.equal(3);
    expect(stack.context.openBreakers()).to.deep.equal([]);
  });
});
