import { expect } from 'chai';
import { queues } from '../../domain/jobs.ts';
import { answerCalls } from '../support/answer-calls.ts';
import { openCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { memberOf } from '../support/members.ts';
import { startStack } from '../support/stack.ts';

function countRefusals(): { count: number } & Disposable {
  const refusals = { count: 0 };
  const counting = answerCalls(async (url, init) => {
    const answer = await fetch(url, init);
    if (answer.status === 401) refusals.count++;
    return answer;
  });
  return Object.assign(refusals, counting);
}

describe('A provider key that was revoked', () => {
  it('costs few calls, however many charges are open, is shown, and heals without a hand', async () => {
    await using stack = await startStack({ lists: true });
    const { token } = await memberOf(stack, stack.tenant, 'owner');
    const pass = (ms: number) => stack.pass(ms);
    const refusedAt = async () => {
      const { json } = await stack.api.get('/connections', { key: token });
      return json.data.find(({ provider }: { provider: string }) => provider === 'provider_a')
        .credentials_refused_at;
    };
    const accounts = stack.sandbox.store.account;
    const revoke = (from: string, to: string) => {
      for (const account of accounts.find('all'))
        if (account.provider === 'paystack')
          accounts.change(account, { secretKey: account.secretKey.replace(from, to) });
    };

    const charges = await Promise.all(Array.from({ length: 30 }, () => openCharge(stack)));
    expect(await refusedAt()).to.equal(null);
    revoke('sk_test_', 'revoked_');
    using refusals = countRefusals();
    const atOnce = queues['charge-check'].concurrency;
    await pass(11 * SECOND);
    const since = await refusedAt();
    expect(since).to.be.a('string');
    for (let minute = 0; minute < 8; minute++) await pass(MINUTE);
    // Those that were under way together, then one after 1 and one after 5 minutes.
    expect(refusals.count).to.be.within(3, atOnce + 2);
    expect(await refusedAt()).to.equal(since);

    await stack.control.pay(charges[7]!.reference, { notify: false });
    revoke('revoked_', 'sk_test_');
    for (let step = 0; step < 6; step++) await pass(10 * MINUTE);
    expect(await refusedAt()).to.equal(null);
    expect(await stored(stack, charges[7]!)).to.include({ status: 'succeeded' });
  });
});
