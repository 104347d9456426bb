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

  type Given = { status?: string; created_by?: string };
  const [secret, open, link] = [{}, { created_by: 'public' }, { created_by: 'link' }] as const;
  const preferred: [title: string, best: Given, ...others: Given[]][] = [
    ...['succeeded', 'settled', 'refunded', 'disputed'].map(
      (status): [string, Given, ...Given[]] => [
        ...([`a paid charge, though it is older: ${status}`, { status, ...open }] as const),
        ...[{ status: 'pending' }, { status: 'failed' }],
      ],
    ),
    ['the newest made by a secret key over newer ones by a public key or link', secret, open, link],
    ['one made by a member likewise', { created_by: 'member' }, open, link],
    ['the newest of those made by public keys and links', link],
  ];
  for (const [title, best, ...others] of preferred)
    it(`prefers ${title}`, async () => {
      await given(title, best.created_by === 'link' ? open : secret);
      const expected = await given(title, best);
      for (const other of others) await given(title, other);
      expect((await find(title)).json.reference).to.equal(expected);
    });

  it('answers 404 for an unknown merchant reference', async () => {
    await given('Known');
    for (const reference of ['unknown', 'known', 'Known ', 'Know%', 'SV-100001'])
      await expectRefusal(stack, () => find(reference), 'not_found');
  });
});
