import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY } from '../../support/clock.ts';
import { connect, disconnectAll } from '../../support/connect.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { newLink, readLink } from '../../support/payment-links.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

const body = { amount_kobo: 1_250_050, description: 'Two bags of rice' };

describe('Payment links', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const developer = useMember(stack, 'developer');

  const create = (more: object = {}, options: { key?: string; idempotencyKey?: string } = {}) =>
    stack.api.post('/payment-links', { ...body, ...more }, options);
  const disable = ({ id }: { id: string }, api = stack.api) =>
    api.post(`/payment-links/${id}/disable`);
  const setStatus = ({ id }: { id: string }, status: string) =>
    stack.sql`update payment_links set status = ${status} where id = ${id}`;

  it('are answered whole: active, for seven days, at an address of ours', async () => {
    const answer = await create();
    expect(answer.status).to.equal(201);
    const { id, created_at, expires_at, ...rest } = answer.json;
    expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(7 * DAY);
    expect(rest).to.deep.equal({
      ...{ object: 'payment_link', url: `${stack.context.env.publicUrl}/l/${id}`, ...body },
      ...{ currency: 'NGN', customer: null, provider: 'auto', status: 'active' },
      ...{ transaction_id: null, mode: 'test' },
    });
  });

  it('have what was sent: customer, phone in E.164, provider, days; null for what was not', async () => {
    const [name, email, phone] = ['Ada Obi', 'ada@payer.example', '0803 123 4567'];
    const sent = { customer: { name, email, phone }, provider: 'provider_a', expires_in_days: 90 };
    const { json } = await create(sent);
    expect(json.customer).to.deep.equal({ name, email, phone: '+2348031234567' });
    expect(json.provider).to.equal('provider_a');
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).to.equal(90 * DAY);
    expect((await create({ expires_in_days: 1 })).status).to.equal(201);
    for (const [customer, shown] of [
      [{}, null],
      [{ name }, { name, email: null, phone: null }],
      [{ email }, { name: null, email, phone: null }],
      [{ phone: '+4917012345678' }, { name: null, email: null, phone: '+4917012345678' }],
    ])
      expect((await create({ customer })).json.customer).to.deep.equal(shown);
  });

  it('require an enabled connection in their mode, the named one if one is named', async () => {
    const { tenant_id, secret_key_live: live } = stack.tenant;
    await disconnectAll(stack, tenant_id);
    const as = { idempotencyKey: 'once connected' };
    await expectRefusal(stack, () => create({}, as), 'no_provider');
    await connect(stack, tenant_id);
    await expectRefusal(stack, () => create({}, { key: live }), 'no_provider');
    await expectRefusal(stack, () => create({ provider: 'provider_b' }, as), 'no_provider');
    expect((await create({ provider: 'provider_a' })).status).to.equal(201);
    const made = await create({}, as); // the refusals burnt no key
    expect(made.status).to.equal(201);
    await disconnectAll(stack, tenant_id);
    await expectRefusal(stack, () => create(), 'no_provider');
    expect((await create({}, as)).text).to.equal(made.text);
    await connect(stack, tenant_id, { mode: 'live' });
    expect((await create({}, { key: live })).json.mode).to.equal('live');
  });

  it('have the statuses they are filtered by, before and after rows are updated', async () => {
    const [short, long, closed, paid] = [
      await newLink(stack, { expires_in_days: 1 }),
      await newLink(stack),
      await newLink(stack),
      await newLink(stack, { expires_in_days: 1 }),
    ];
    await disable(closed);
    await setStatus(paid, 'paid');
    const shown = async () => {
      const found: Record<string, string[]> = {};
      for (const status of ['active', 'expired', 'disabled', 'paid']) {
        const { data } = (await stack.api.get(`/payment-links?status=${status}`)).json;
        for (const link of data) expect(link.status).to.equal(status);
        found[status] = data.map(({ id }: { id: string }) => id);
      }
      return found;
    };
    const ended = { disabled: [closed.id], paid: [paid.id] };
    const before = { active: [long.id, short.id], expired: [], ...ended };
    expect(await shown()).to.deep.equal(before);
    stack.clock.advance(DAY);
    const later = await newLink(stack, { expires_in_days: 1 });
    const expected = { active: [later.id, long.id], expired: [short.id], ...ended };
    expect(await shown()).to.deep.equal(expected);
    await runHousekeeping(stack.context);
    expect(await shown(), 'after the housekeeping').to.deep.equal(expected);
  });

  it('are disabled once; repeated, it changes nothing', async () => {
    const link = await newLink(stack);
    const [first] = await runTwice(stack, () => disable(link));
    expect([first.status, first.json]).to.deep.equal([200, { ...link, status: 'disabled' }]);
    expect(await readLink(stack, link)).to.deep.equal(first.json);
  });

  it('are not disabled once paid, or expired, before and after their row is updated', async () => {
    const [paid, expired] = [await newLink(stack), await newLink(stack, { expires_in_days: 1 })];
    await setStatus(paid, 'paid');
    await expectRefusal(stack, () => disable(paid), 'invalid_state');
    stack.clock.advance(DAY);
    await expectRefusal(stack, () => disable(expired), 'invalid_state');
    expect((await readLink(stack, expired)).status).to.equal('expired');
  });

  it('have who created and who disabled them in the audit log, once', async () => {
    const { id } = (await developer.api.post('/payment-links', body)).json;
    await whileHeld(
      stack,
      (sql) => sql.query('select 1 from payment_links where id = $1 for update', [id]),
      () => Array.from({ length: 5 }, () => disable({ id }, developer.api)),
    );
    const [actor, detail] = [developer.memberId, 'A payment link of ₦12,500.50.'];
    expect(await auditOf(stack, id)).to.deep.equal([
      { actor, action: 'payment_link.created', detail },
      { actor, action: 'payment_link.disabled', detail: null },
    ]);
    const [byKey] = await auditOf(stack, (await create()).json.id);
    expect(byKey!.actor).to.match(/^key_/);
  });
});
