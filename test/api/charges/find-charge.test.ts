import { expect } from 'chai';
import { expectRefusal } from '../../support/contract.ts';
import { useStack } from '../../support/stack.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('GET /charges?merchant_reference=', () => {
  const stack = useStack({ workers: false });

  const find = (reference: string, key = stack.tenant.secret_key_test) =>
    stack.api.get(`/charges?merchant_reference=${encodeURIComponent(reference)}`, { key });
  async function given(reference: string, columns: { status?: string; created_by?: string } = {}) {
    const { json } = await stack.api.post('/charges', { ...body, reference });
    const { status = 'initiated', created_by: createdBy = 'secret' } = columns;
    await stack.sql`update charges set status = ${status}, created_by = ${createdBy}
      where number = ${json.reference.slice(3)}`;
    return json.reference;
  }

  it('answers the charge as GET /charges/{reference} does', async () => {
    const created = await stack.api.post('/charges', { ...body, reference: 'order 1 & ä/?#' });
    const found = await find('order 1 & ä/?#');
    expect(found.status).to.equal(200);
    expect(found.json).to.deep.equal(created.json);
    expect(found.text).to.equal((await stack.api.get(`/charges/${created.json.reference}`)).text);
  });

  for (const status of ['succeeded', 'settled', 'refunded', 'disputed']) {
    it(`prefers a paid charge, though it is older: ${status}`, async () => {
      const paid = await given(`paid-${status}`, { status, created_by: 'public' });
      await given(`paid-${status}`, { status: 'pending' });
      await given(`paid-${status}`, { status: 'failed' });
      expect((await find(`paid-${status}`)).json.reference).to.equal(paid);
    });
  }

  for (const maker of ['secret', 'member']) {
    it(`prefers the newest made by a ${maker} over newer ones made by a public key or link`, async () => {
      await given(`by-${maker}`, { created_by: 'secret' });
      const trusted = await given(`by-${maker}`, { created_by: maker });
      await given(`by-${maker}`, { created_by: 'public' });
      await given(`by-${maker}`, { created_by: 'link' });
      expect((await find(`by-${maker}`)).json.reference).to.equal(trusted);
    });
  }

  it('answers the newest of those made by public keys and links', async () => {
    await given('public', { created_by: 'public' });
    const newest = await given('public', { created_by: 'link' });
    expect((await find('public')).json.reference).to.equal(newest);
  });

  it('answers 404 for an unknown merchant reference', async () => {
    await given('Known');
    for (const reference of ['unknown', 'known', 'Known ', 'Know%', 'SV-100001'])
      await expectRefusal(stack, () => find(reference), 'not_found');
  });
});
