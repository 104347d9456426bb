import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newReference, newSecretKey, openFixture } from './fixture.ts';
import type { Json } from './json.ts';

const order = { email: 'ada@example.com', amount: 500_000 };
const path = '/transaction/initialize';

describe('sandbox: Paystack payments', () => {
  const fixture = forEachTest(openFixture);

  it('opens a hosted payment under the reference given or one of its own, with the amount as text too', async () => {
    const { body } = await fixture.paystack('POST', path, { ...order, amount: '20000' });
    expect(body).to.include({ status: true, message: 'Authorization URL created' });
    const { authorization_url, access_code, reference } = body.data;
    expect(reference).to.match(/^[a-z0-9]{10}$/);
    expect(authorization_url).to.equal(`${fixture.sandbox.url}/paystack/checkout/${access_code}`);
    const { data } = (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body;
    expect(data).to.include({ requested_amount: 20_000, metadata: '', status: 'abandoned' });
    const named = await fixture.order({ metadata: '{"a":1}' });
    const { metadata } = (await fixture.paystack('GET', `/transaction/verify/${named}`)).body.data;
    expect(metadata).to.deep.equal({ a: 1 });
  });

  it('refuses an order in Paystack’s words', async () => {
    const limit = 'Transaction amount limit exceeded';
    const rows: [fields: object, message: string, code: string][] = [
      [{ email: undefined }, 'Email Address is required', 'missing_params'],
      [{ email: 'ada' }, 'Invalid Email Address Passed', 'invalid_params'],
      [{ amount: undefined }, 'You must specify a valid amount', 'missing_params'],
      [{ amount: 4_999 }, 'Invalid Amount Sent', 'invalid_params'],
      [{ amount: 5000.5 }, 'Invalid Amount Sent', 'invalid_params'],
      [{ amount: -5000 }, 'Invalid Amount Sent', 'invalid_params'],
      [{ amount: 100_000_000_001 }, limit, 'invalid_params'],
      [{ reference: 'SV_1' }, 'Invalid character in transaction reference', 'invalid_params'],
      [{ currency: 'USD' }, 'Currency not supported by merchant', 'unsupported_currency'],
      [{ callback_url: 'javascript:alert(1)' }, 'Invalid callback URL', 'invalid_params'],
    ];
    for (const [fields, message, code] of rows) {
      const { status, body } = await fixture.paystack('POST', path, { ...order, ...fields });
      expect(status, message).to.equal(400);
      expect(body).to.include({ status: false, message, type: 'validation_error', code });
    }
  });

  it('accepts a reference once, also of two at once, and does not give its link away', async () => {
    const sent = { ...order, reference: newReference() };
    const replies = await Promise.all([1, 2].map(() => fixture.paystack('POST', path, sent)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    expect(replies.find(({ status }) => status === 400)!.body).to.deep.equal({
      ...{ status: false, message: 'Duplicate Transaction Reference' },
      meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
      ...{ type: 'validation_error', code: 'duplicate_reference', errorCodeMappingNotFound: false },
    });
  });

  it('shows a paid one with its fee, its channel and when, and none of another account', async () => {
    const reference = await fixture.sale(500_000);
    const { data } = (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body;
    expect(data).to.include({
      ...{ status: 'success', amount: 500_000, fees: 17_500, channel: 'card' },
      ...{ gateway_response: 'Successful', paid_at: '2026-03-02T09:00:00.000Z' },
    });
    expect(data.authorization).to.include({ last4: '4081', card_type: 'visa ', channel: 'card' });
    const byId = `/transaction/${data.id}`;
    expect((await fixture.paystack('GET', byId)).body.data.id).to.equal(data.id);
    const secret_key = newSecretKey();
    await fixture.control('POST', '/accounts', { provider: 'paystack', secret_key });
    expect((await fixture.paystack('GET', byId, undefined, secret_key)).status).to.equal(404);
  });

  it('lists newest first, page by page, with the totals of all, by status and day', async () => {
    const oldest = await fixture.order();
    const references = [await fixture.order(), await fixture.sale(20_000), oldest];
    const list = async (query: string) =>
      (await fixture.paystack('GET', `/transaction?${query}`)).body;
    const pages = [await list('perPage=2&page=1'), await list('perPage=2&page=2')];
    const listed = pages.flatMap(({ data }) => data.map((row: Json) => row.reference));
    expect(listed).to.deep.equal([references[1], references[0], oldest]);
    expect(pages[1].meta).to.deep.equal({
      ...{ total: 3, total_volume: 1_020_000, skipped: 2, perPage: 2, page: 2, pageCount: 2 },
    });
    for (const [query, count] of [
      ['status=success', 1],
      ['status=nonsense', 0],
      ['from=2026-03-02&to=2026-03-02', 3],
      ['from=2026-03-03', 0],
      ['to=2026-03-02T08:59:59Z', 0],
    ] as const)
      expect((await list(query)).data, query).to.have.length(count);
  });
});
