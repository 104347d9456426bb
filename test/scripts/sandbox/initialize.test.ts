import { expect } from 'chai';
import { newReference, openFixture } from './fixture.ts';

const order = { email: 'ada@example.com', amount: 500_000 };

describe('sandbox: POST /transaction/initialize', () => {
  it('opens a hosted payment and answers its address, its code and its reference', async () => {
    await using fixture = await openFixture();
    const reference = newReference();
    const { status, body } = await fixture.paystack('POST', '/transaction/initialize', {
      ...order,
      reference,
      currency: 'NGN',
    });
    expect(status).to.equal(200);
    expect(body).to.include({ status: true, message: 'Authorization URL created' });
    expect(body.data).to.have.all.keys('authorization_url', 'access_code', 'reference');
    expect(body.data.reference).to.equal(reference);
    expect(body.data.authorization_url).to.equal(
      `${fixture.sandbox.url}/paystack/checkout/${body.data.access_code}`,
    );
  });

  it('makes a reference when none is given, and takes the amount as text', async () => {
    await using fixture = await openFixture();
    const { body } = await fixture.paystack('POST', '/transaction/initialize', {
      ...order,
      amount: '20000',
    });
    expect(body.data.reference).to.match(/^[a-z0-9]{10}$/);
    const verified = await fixture.paystack('GET', `/transaction/verify/${body.data.reference}`);
    expect(verified.body.data.requested_amount).to.equal(20_000);
  });

  for (const [fault, fields, message, code] of [
    ['no e-mail', { email: undefined }, 'Email Address is required', 'missing_params'],
    ['no real e-mail', { email: 'ada' }, 'Invalid Email Address Passed', 'invalid_params'],
    ['no amount', { amount: undefined }, 'You must specify a valid amount', 'missing_params'],
    ['less than ₦50', { amount: 4_999 }, 'Invalid Amount Sent', 'invalid_params'],
    ['a fraction of a kobo', { amount: 5000.5 }, 'Invalid Amount Sent', 'invalid_params'],
    ['a negative amount', { amount: -5000 }, 'Invalid Amount Sent', 'invalid_params'],
    [
      'more than can be paid',
      { amount: 100_000_000_001 },
      'Transaction amount limit exceeded',
      'invalid_params',
    ],
    [
      'an underscore in the reference',
      { reference: 'SV_1' },
      'Invalid character in transaction reference',
      'invalid_params',
    ],
    [
      'another currency',
      { currency: 'USD' },
      'Currency not supported by merchant',
      'unsupported_currency',
    ],
    [
      'a callback that is no web address',
      { callback_url: 'javascript:alert(1)' },
      'Invalid callback URL',
      'invalid_params',
    ],
  ] as const) {
    it(`refuses ${fault} in Paystack's words`, async () => {
      await using fixture = await openFixture();
      const { status, body } = await fixture.paystack('POST', '/transaction/initialize', {
        ...order,
        ...fields,
      });
      expect(status).to.equal(400);
      expect(body).to.include({ status: false, message, type: 'validation_error', code });
      expect(body.meta.nextStep).to.be.a('string');
    });
  }

  it('refuses a reference it accepted before, without giving its link away', async () => {
    await using fixture = await openFixture();
    const reference = await fixture.order();
    const { status, body } = await fixture.paystack('POST', '/transaction/initialize', {
      ...order,
      reference,
    });
    expect(status).to.equal(400);
    expect(body).to.deep.equal({
      status: false,
      message: 'Duplicate Transaction Reference',
      meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
      type: 'validation_error',
      code: 'duplicate_reference',
      errorCodeMappingNotFound: false,
    });
  });

  it('accepts one of two requests for a reference that arrive at once', async () => {
    await using fixture = await openFixture();
    const reference = newReference();
    const twins = [1, 2].map(() =>
      fixture.paystack('POST', '/transaction/initialize', { ...order, reference }),
    );
    const replies = await Promise.all(twins);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
  });
});
