import { expect } from 'chai';
import { newSecretKey, openFixture } from './fixture.ts';
import type { Json } from './json.ts';

describe('sandbox: reading transactions', () => {
  it('shows metadata that was never sent as empty text, and JSON that was sent as text as what it says', async () => {
    await using fixture = await openFixture();
    const plain = await fixture.paystack('GET', `/transaction/verify/${await fixture.order()}`);
    expect(plain.body.data.metadata).to.equal('');
    const sent = await fixture.paystack(
      'GET',
      `/transaction/verify/${await fixture.order({ metadata: '{"a":1}' })}`,
    );
    expect(sent.body.data.metadata).to.deep.equal({ a: 1 });
  });

  it('shows a paid one as success, with its fee, its channel and when', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.sale(500_000);
    const { data } = (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body;
    expect(data).to.include({
      status: 'success',
      amount: 500_000,
      fees: 17_500,
      channel: 'card',
      gateway_response: 'Successful',
    });
    expect(data.paid_at).to.equal('2026-03-02T09:00:00.000Z');
    expect(data.authorization).to.include({ last4: '4081', card_type: 'visa ', channel: 'card' });
    expect(data.customer).to.include({ email: 'ada@example.com' });
  });

  it('says of an empty reference that it should be numeric, as the real one does', async () => {
    await using fixture = await openFixture();
    const { status, body } = await fixture.paystack('GET', '/transaction/verify/');
    expect(status).to.equal(400);
    expect(body.message).to.equal('Transaction ID should be numeric.');
  });

  it('finds a payment by its number, but not one of another account, nor one beyond 64 bits', async () => {
    await using fixture = await openFixture();
    const { id } = (await fixture.paystack('GET', `/transaction/verify/${await fixture.order()}`))
      .body.data;
    expect((await fixture.paystack('GET', `/transaction/${id}`)).body.data.id).to.equal(id);
    const otherKey = newSecretKey();
    await fixture.control('POST', '/accounts', { provider: 'paystack', secret_key: otherKey });
    expect(
      (await fixture.paystack('GET', `/transaction/${id}`, undefined, otherKey)).status,
    ).to.equal(404);
    expect((await fixture.paystack('GET', '/transaction/99999999999999999999')).status).to.equal(
      404,
    );
  });

  it('lists newest first, page by page, with the totals of all of them', async () => {
    await using fixture = await openFixture();
    const references = [
      await fixture.order(),
      await fixture.sale(20_000),
      await fixture.order(),
    ].reverse();
    const firstPage = (await fixture.paystack('GET', '/transaction?perPage=2&page=1')).body;
    const secondPage = (await fixture.paystack('GET', '/transaction?perPage=2&page=2')).body;
    const listed = [...firstPage.data, ...secondPage.data].map(({ reference }) => reference);
    expect(listed).to.deep.equal(references);
    expect(secondPage.meta).to.deep.equal({
      total: 3,
      total_volume: 1_020_000,
      skipped: 2,
      perPage: 2,
      page: 2,
      pageCount: 2,
    });
  });

  it('lists by status and by day, and refuses a date it cannot read', async () => {
    await using fixture = await openFixture();
    await fixture.order();
    const paid = await fixture.sale();
    const ofStatus = async (query: string) =>
      (await fixture.paystack('GET', `/transaction?${query}`)).body.data.map(
        (row: Json) => row.reference,
      );
    expect(await ofStatus('status=success')).to.deep.equal([paid]);
    expect(await ofStatus('status=nonsense')).to.deep.equal([]);
    expect(await ofStatus('from=2026-03-02&to=2026-03-02')).to.have.length(2);
    expect(await ofStatus('from=2026-03-03')).to.deep.equal([]);
    expect(await ofStatus('to=2026-03-02T08:59:59Z')).to.deep.equal([]);
    expect((await fixture.paystack('GET', '/transaction?from=yesterday')).status).to.equal(400);
  });
});
