import { expect } from 'chai';
import { newReference } from '../fixture.ts';
import { newKeys, openMonnify } from './monnify-fixture.ts';

const minuteMs = 60_000;

describe('sandbox: reading transactions at Monnify', () => {
  it('shows a paid one with what will be settled of it, when in Lagos, and the card', async () => {
    await using fixture = await openMonnify();
    const { paymentReference } = await fixture.pay(5000, { channel: 'card' });
    const shown = await fixture.query(paymentReference);
    expect(shown).to.include({
      paymentStatus: 'PAID',
      amountPaid: '5000.00',
      totalPayable: '5000.00',
      settlementAmount: '4925.00',
    });
    expect(shown).to.include({
      paidOn: '02/03/2026 10:00:00 AM',
      paymentMethod: 'CARD',
      accountDetails: null,
    });
    expect(shown.cardDetails).to.include({ last4: '1111', maskedPan: '411111******1111' });
  });

  it('counts noon and midnight as twelve', async () => {
    await using fixture = await openMonnify();
    await fixture.pass(2 * 60 * minuteMs);
    await fixture.login();
    expect((await fixture.query((await fixture.pay()).paymentReference)).paidOn).to.equal(
      '02/03/2026 12:00:00 PM',
    );
    await fixture.pass(12 * 60 * minuteMs + 1000);
    await fixture.login();
    expect((await fixture.query((await fixture.pay()).paymentReference)).paidOn).to.equal(
      '03/03/2026 12:00:01 AM',
    );
  });

  it('charges no more than ₦2,000', async () => {
    await using fixture = await openMonnify();
    const shown = await fixture.query((await fixture.pay(1_000_000)).paymentReference);
    expect(shown.settlementAmount).to.equal('998000.00');
  });

  it('finds a payment by its own reference in the query and in the path, where the strokes must be encoded', async () => {
    await using fixture = await openMonnify();
    const { paymentReference, transactionReference } = await fixture.pay();
    const shown = await fixture.query(paymentReference);
    const encoded = encodeURIComponent(transactionReference);
    for (const path of [
      '/api/v2/transactions/',
      '/api/v2/merchant/transactions/query?transactionReference=',
    ]) {
      expect((await fixture.monnify('GET', path + encoded)).body.responseBody).to.deep.equal(shown);
      const raw = await fixture.monnify('GET', path + transactionReference);
      expect(raw.status).to.equal(400);
      expect(raw.body.requestSuccessful).to.equal(false);
    }
  });

  it('has two answers for an unknown payment, and for one of another account', async () => {
    await using fixture = await openMonnify();
    const reference = newReference();
    const byReference = await fixture.monnify(
      'GET',
      `/api/v2/merchant/transactions/query?paymentReference=${reference}`,
    );
    expect(byReference.status).to.equal(404);
    expect(byReference.body).to.deep.equal({
      requestSuccessful: false,
      responseMessage: `Could not find transaction with payment reference ${reference} for merchant Sandbox Merchant ${fixture.accountId}`,
      responseCode: 99,
    });
    const { transactionReference, paymentReference } = await fixture.init();
    const { apiKey, secretKey } = newKeys();
    await fixture.control('POST', '/accounts', {
      provider: 'monnify',
      api_key: apiKey,
      secret_key: secretKey,
      contract_code: '7',
    });
    const token = (await fixture.login(apiKey, secretKey)).body.responseBody.accessToken;
    const foreign = await fixture.monnify(
      'GET',
      `/api/v2/transactions/${encodeURIComponent(transactionReference)}`,
      undefined,
      token,
    );
    expect(foreign.status).to.equal(404);
    expect(foreign.body).to.include({ responseCode: 99 });
    expect(foreign.body.responseMessage).to.match(
      /^There's no transaction matching supplied reference\./,
    );
    const query = `/api/v2/merchant/transactions/query?paymentReference=${paymentReference}`;
    expect((await fixture.monnify('GET', query, undefined, token)).status).to.equal(404);
  });

  it('answers what cannot be read, what is too large and what is nowhere in its own shape', async () => {
    await using fixture = await openMonnify();
    const init = '/api/v1/merchant/transactions/init-transaction';
    const replies = [
      await fixture.monnify('POST', init, '{"amount":'),
      await fixture.monnify('POST', init, { customerName: 'x'.repeat(2_000_000) }),
      await fixture.monnify('GET', '/api/v2/merchant/transactions/query'),
      await fixture.monnify('GET', '/api/v1/nowhere'),
      await fixture.monnify('GET', '/api/v1/disputes'),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([400, 413, 400, 404, 404]);
    for (const { body } of replies) expect(body.requestSuccessful).to.equal(false);
  });
});
