import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { DAY } from '../../support/clock.ts';
import { connect, disconnectAll } from '../../support/connect.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

const body = { amount_kobo: 1_250_050, description: 'Two bags of rice' };

describe('POST /payment-links', () => {
  const stack = useStack({ workers: false });

  const create = (more: object = {}, options: { key?: string; idempotencyKey?: string } = {}) =>
    stack.api.post('/payment-links', { ...body, ...more }, options);

  it('answers 201 with the whole link: active, for seven days, at an address of ours', async () => {
    const answer = await create();
    expect(answer.status).to.equal(201);
    const { id, created_at, expires_at, ...rest } = answer.json;
    expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(7 * DAY);
    expect(rest).to.deep.equal({
      object: 'payment_link',
      url: `${stack.context.env.publicUrl}/l/${id}`,
      ...body,
      currency: 'NGN',
      customer: null,
      provider: 'auto',
      status: 'active',
      transaction_id: null,
      mode: 'test',
    });
  });

  it('stores what was sent: customer, phone in E.164, provider, days', async () => {
    const customer = { name: 'Ada Obi', phone: '0803 123 4567' };
    const { json } = await create({ customer, provider: 'provider_a', expires_in_days: 90 });
    expect(json.customer).to.deep.equal({ name: 'Ada Obi', phone: '+2348031234567' });
    expect(json.provider).to.equal('provider_a');
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).to.equal(90 * DAY);
    expect((await create({ expires_in_days: 1 })).status).to.equal(201);
  });

  it('has the customer’s given fields, null for the others', async () => {
    expect((await create({ customer: {} })).json.customer).to.equal(null);
    expect((await create({ customer: { name: 'Ada' } })).json.customer).to.deep.equal({
      name: 'Ada',
      phone: null,
    });
    expect((await create({ customer: { phone: '+4917012345678' } })).json.customer).to.deep.equal({
      name: null,
      phone: '+4917012345678',
    });
  });

  it('requires an enabled connection in its mode, the named one if one is named', async () => {
    const tenant = await stack.newTenant({ connected: false });
    const as = { key: tenant.secret_key_test, idempotencyKey: 'once connected' };
    await expectRefusal(stack, () => create({}, as), 'no_provider');
    await connect(stack, tenant.tenant_id);
    await expectRefusal(stack, () => create({}, { key: tenant.secret_key_live }), 'no_provider');
    await expectRefusal(stack, () => create({ provider: 'provider_b' }, as), 'no_provider');
    expect(
      (await create({ provider: 'provider_a' }, { key: tenant.secret_key_test })).status,
    ).to.equal(201);
    const made = await create({}, as); // the refusals burnt no key
    expect(made.status).to.equal(201);
    await disconnectAll(stack, tenant.tenant_id);
    await expectRefusal(stack, () => create({}, { key: tenant.secret_key_test }), 'no_provider');
    expect((await create({}, as)).text).to.equal(made.text);
  });

  it('belongs to the mode of the key', async () => {
    await connect(stack, stack.tenant.tenant_id, { mode: 'live' });
    expect((await create({}, { key: stack.tenant.secret_key_live })).json.mode).to.equal('live');
  });

  it('records who created it in the audit log', async () => {
    const { token, memberId } = await memberOf(stack, stack.tenant, 'developer');
    const { id } = (await create({}, { key: token })).json;
    const entry = {
      actor: memberId,
      action: 'payment_link.created',
      detail: 'A payment link of ₦12,500.50.',
    };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
    const [byKey] = await auditOf(stack, (await create()).json.id);
    expect(byKey!.actor).to.match(/^key_/);
  });
});
