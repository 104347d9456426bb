import { expect } from 'chai';
import { newSecretKey, openFixture } from './fixture.ts';

describe('sandbox: GET /balance', () => {
  it('is what was not paid out yet, to those who hold the key', async () => {
    await using fixture = await openFixture();
    const balance = async () => (await fixture.paystack('GET', '/balance')).body;
    expect(await balance()).to.deep.equal({
      status: true,
      message: 'Balances retrieved',
      data: [{ currency: 'NGN', balance: 0 }],
    });
    const reference = await fixture.sale(500_000);
    await fixture.order();
    expect((await balance()).data[0].balance).to.equal(482_500);
    await fixture.control('POST', '/settle');
    expect((await balance()).data[0].balance).to.equal(0);
    await fixture.paystack('POST', '/refund', { transaction: reference });
    await fixture.pass(1_000);
    expect((await balance()).data[0].balance).to.equal(-500_000);
    const stranger = await fixture.paystack('GET', '/balance', undefined, newSecretKey());
    expect([stranger.status, stranger.body]).to.deep.equal([
      401,
      { status: false, message: 'Invalid key' },
    ]);
  });
});
