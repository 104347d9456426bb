import { expect } from 'chai';
import type { LoggedRequest } from '../../domain/accounts/request-log/store.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { DAY, MINUTE } from '../support/clock.ts';
import { dashboardMember } from '../support/dashboard.ts';
import { memberOf } from '../support/members.ts';
import { useStack } from '../support/stack.ts';

describe('The request log of a business', () => {
  const stack = useStack({ workers: false, newTenants: true });

  const get = (path: string, key = stack.tenant.secret_key_test) => stack.api.get(path, { key });
  async function logged(): Promise<LoggedRequest[]> {
    await stack.context.requestLog.flush();
    return stack.sql`select * from request_log
      where tenant_id = ${stack.tenant.tenant_id} order by id`;
  }

  it('has what was answered and what was refused, with the request id and the error', async () => {
    const good = await get('/transactions?status=failed');
    const refused = await get('/charges/SV-999999');
    const [first, second, ...others] = await logged();
    expect(others).to.deep.equal([]);
    expect(first).to.include({
      ...{ id: good.headers.get('request-id'), mode: 'test', method: 'GET' },
      ...{ path: '/v1/transactions', status: 200, error: null },
    });
    expect(first!.duration_ms).to.be.at.least(0);
    expect(second).to.include({
      ...{ id: refused.headers.get('request-id'), path: '/v1/charges/SV-999999' },
      ...{ status: 404, error: 'not_found' },
    });
  });

  it('has nothing of the dashboard, and nothing of unknown credentials', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    expect((await owner.get('/transactions')).status).to.equal(200);
    expect((await get('/transactions', `svc_sk_test_${'0'.repeat(36)}`)).status).to.equal(401);
    expect(await logged()).to.deep.equal([]);
  });

  it('shows the end of the key, the member’s requests as theirs, and only errors where asked', async () => {
    await get('/transactions');
    await get('/charges/SV-999999');
    await get('/members', (await memberOf(stack, stack.tenant, 'owner')).token);
    await logged();
    const developer = await dashboardMember(stack, stack.tenant, 'developer');
    const all = (await developer.get('/developers/requests')).html;
    expect(all)
      .to.include(`…${stack.tenant.secret_key_test.slice(-4)}`)
      .and.to.include('A member');
    expect(all).to.include('/v1/transactions').and.to.include('/v1/charges/SV-999999');
    const errors = (await developer.get('/developers/requests?only=errors')).html;
    expect(errors).not.to.include('/v1/transactions');
    expect(errors).to.include('/v1/charges/SV-999999').and.to.include('not_found');
  });

  it('has bodies and answers without what names a person or opens something, each bounded', async () => {
    const secret = stack.tenant.secret_key_test;
    const payer = { email: 'ada@payer.example', name: 'Ada Obi', phone: '08031234567' };
    const more = { metadata: { seat: '12 A', phone: 8031234567 }, description: 'For Ada' };
    const body = { amount_kobo: 50_000, reference: 'order-7', ...payer, ...more };
    await stack.api.post('/charges', body);
    await stack.api.post('/charges', { ...body, amount_kobo: '50000', phones: [payer.phone] });
    await stack.api.post('/charges', { ...body, reference: secret, '[': '['.repeat(60_000) });
    const { token } = await memberOf(stack, stack.tenant, 'owner');
    await stack.api.post('/api-keys', { kind: 'secret' }, { key: token });
    await get('/transactions');
    const rows = await logged();
    const [created, refused, , key, read] = rows.map(({ body, answer }) => ({ body, answer }));
    expect(JSON.parse(created!.body!)).to.include({ amount_kobo: 50_000, reference: '…' });
    const charge = JSON.parse(created!.answer!);
    expect(charge).to.include({ object: 'checkout', id: 'ct_…', checkout_url: '…' });
    expect(charge.reference).to.match(/^SV-/);
    expect(JSON.parse(refused!.body!)).to.include({ amount_kobo: '50000', email: '…' });
    expect(JSON.parse(refused!.answer!).error.fields.amount_kobo).to.match(/integer/);
    expect(JSON.parse(key!.answer!)).to.include({ kind: 'secret', key: '…' });
    expect(read).to.deep.equal({ body: null, answer: null });
    for (const text of rows.flatMap(({ body, answer }) => [body, answer])) {
      expect(text ?? '').not.to.match(/Ada|ada@|0?8031234567|12 A|svc_sk_test_[0-9a-z]/);
      expect((text ?? '').length).to.be.at.most(2_001);
    }
  });

  it('says when a key was last used, with one write in ten minutes', async () => {
    const lastUse = async () => {
      await stack.context.requestLog.flush();
      return stack.sql<{ last_used_at: Date | null; xmin: string }>`
        select last_used_at, xmin::text from api_keys where kind = 'secret' and mode = 'test'
          and tenant_id = ${stack.tenant.tenant_id}`;
    };
    expect((await lastUse())[0]!.last_used_at).to.equal(null);
    await get('/transactions');
    const [used] = await lastUse();
    const [first] = await logged();
    expect(used!.last_used_at).to.deep.equal(first!.at);
    stack.clock.advance(9 * MINUTE);
    await get('/transactions');
    expect(await lastUse()).to.deep.equal([used]);
    stack.clock.advance(MINUTE);
    await get('/transactions');
    expect((await lastUse())[0]!.last_used_at).to.be.greaterThan(used!.last_used_at!);
  });

  it('is kept for seven days', async () => {
    await get('/transactions');
    await logged();
    stack.clock.advance(7 * DAY - 60_000);
    await get('/transactions');
    await logged();
    await runHousekeeping(stack.context);
    expect(await logged()).to.have.lengthOf(2);
    stack.clock.advance(120_000);
    await runHousekeeping(stack.context);
    expect(await logged()).to.have.lengthOf(1);
  });
});
