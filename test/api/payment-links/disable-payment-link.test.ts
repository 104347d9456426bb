import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { DAY } from '../../support/clock.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { newLink, readLink } from '../../support/payment-links.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

describe('POST /payment-links/{id}/disable', () => {
  const stack = useStack({ workers: false });

  const disable = ({ id }: { id: string }, key = stack.tenant.secret_key_test) =>
    stack.api.post(`/payment-links/${id}/disable`, undefined, { key });

  it('answers the disabled link; repeated, it changes nothing', async () => {
    const link = await newLink(stack);
    const [first] = await runTwice(stack, () => disable(link));
    expect(first.status).to.equal(200);
    expect(first.json).to.deep.equal({ ...link, status: 'disabled' });
    expect(await readLink(stack, link)).to.deep.equal(first.json);
  });

  it('is refused for a paid link, and for an expired one before and after its row is updated', async () => {
    const [paid, expired] = [await newLink(stack), await newLink(stack, { expires_in_days: 1 })];
    await stack.sql`update payment_links set status = 'paid' where id = ${paid.id}`;
    await expectRefusal(stack, () => disable(paid), 'invalid_state');
    stack.clock.advance(DAY);
    await expectRefusal(stack, () => disable(expired), 'invalid_state');
    expect((await readLink(stack, expired)).status).to.equal('expired');
  });

  it('is for secret keys, Owners and developers, and is recorded in the audit log once', async () => {
    const link = await newLink(stack);
    const viewer = await memberOf(stack, stack.tenant, 'viewer');
    for (const key of [viewer.token, stack.tenant.public_key_test])
      await expectRefusal(stack, () => disable(link, key), 'forbidden');
    const { token, memberId } = await memberOf(stack, stack.tenant, 'developer');
    await whileHeld(
      stack,
      (sql) => sql.query('select 1 from payment_links where id = $1 for update', [link.id]),
      () => Array.from({ length: 5 }, () => disable(link, token)),
    );
    const entries = (await auditOf(stack, link.id)).filter(
      ({ action }) => action === 'payment_link.disabled',
    );
    expect(entries).to.deep.equal([
      { actor: memberId, action: 'payment_link.disabled', detail: null },
    ]);
  });
});
