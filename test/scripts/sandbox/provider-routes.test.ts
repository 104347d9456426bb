import { expect } from 'chai';
import { newSecretKey, openFixture } from './fixture.ts';

describe("sandbox: Paystack's routes", () => {
  it('answers Invalid key to a key it does not know, and to none', async () => {
    await using fixture = await openFixture();
    for (const key of [newSecretKey(), '']) {
      const { status, body } = await fixture.paystack('GET', '/transaction', undefined, key);
      expect(status).to.equal(401);
      expect(body).to.deep.equal({ status: false, message: 'Invalid key' });
    }
  });

  it('answers 404 in its own shape where there is nothing', async () => {
    await using fixture = await openFixture();
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', '/transaction'],
      ['GET', '/refund/1'],
      ['GET', '/dispute/1'],
      ['GET', '/settlement/1/transactions'],
    ] as const) {
      const { status, body } = await fixture.paystack(method, path);
      expect(status, path).to.equal(404);
      expect(body.status).to.equal(false);
    }
  });

  it('answers unreadable, oversized and impossible requests without a stack trace', async () => {
    await using fixture = await openFixture();
    const replies = [
      await fixture.paystack('POST', '/transaction/initialize', '{"email":'),
      await fixture.paystack('POST', '/transaction/initialize', '"text"'),
      await fixture.paystack('POST', '/transaction/initialize', { email: 'x'.repeat(2_000_000) }),
      await fixture.paystack('POST', '/transaction/initialize', '[]'),
      await fixture.paystack('GET', '/transaction/verify/%zz'),
      await fixture.paystack('GET', '/transaction/verify/%00'),
      await fixture.paystack('GET', '/transaction?status=%00'),
      await fixture.paystack('POST', '/transaction/initialize', {
        email: 'a\0@b.ng',
        amount: 5000,
        reference: 'a\0b',
      }),
      await fixture.paystack('POST', '/refund', { transaction: 'a\0b', merchant_note: '\0' }),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([
      400, 400, 413, 400, 400, 400, 400, 400, 404,
    ]);
    for (const { body } of replies) {
      expect(body.status).to.equal(false);
      expect(JSON.stringify(body)).not.to.match(/\.ts\b|node_modules|\\n +at /);
    }
  });
});
