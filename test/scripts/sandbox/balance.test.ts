import { expect } from 'chai';
import { newSecretKey, openStage } from './stage.ts';

describe('sandbox: GET /balance', () => {
  it('is what was not paid out yet, to those who hold the key', async () => {
    await using stage = await openStage();
    const balance = async () => (await stage.paystack('GET', '/balance')).body;
    expect(await balance()).to.deep.equal({
      status: true,
      message: 'Balances retrieved',
      data: [{ currency: 'NGN', balance: 0 }],
    });
    const reference = await stage.sale(500_000);
    await stage.order();
    expect((await balance()).data[0].balance).to.equal(482_500);
    await stage.control('POST', '/settle');
    expect((await balance()).data[0].balance).to.equal(0);
    await stage.paystack('POST', '/refund', { transaction: reference });
    await stage.pass(1_000);
    expect((await balance()).data[0].balance).to.equal(-500_000);
    const stranger = await stage.paystack('GET', '/balance', undefined, newSecretKey());
    expect([stranger.status, stranger.body]).to.deep.equal([
      401,
      { status: false, message: 'Invalid key' },
    ]);
  });
});
