import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newReference, openFixture, type ProviderName } from './fixture.ts';
import type { Json } from './receiver.ts';

const malformed = 'The request could not be completed due to malformed syntax.';
const noAmount = 'amount must be a positive number of naira with two decimals at most';
const noMinutes = 'session_duration must be a number of minutes, 1440 at most';
const noName = 'customer.email is required';

interface Payments {
  refusals: [fields: object, message: string, statusOrCode?: number | string][];
  refusal(message: string, statusOrCode?: number | string): { status: number; body: object };
  paid: { order?: object; kobo: number; shown: object };
  /** What lists a payment is in; `$0` is the newest of three, of ₦200, and paid. */
  list: string;
  filters: [query: string, found: number[]][];
  page: { query: string; size: number; states(body: Json): object; stated: object };
  id: string;
}

const providers: Record<ProviderName, Payments> = {
  paystack: {
    refusals: [
      [{ email: undefined }, 'Email Address is required', 'missing_params'],
      [{ email: 'ada' }, 'Invalid Email Address Passed'],
      [{ amount: undefined }, 'You must specify a valid amount', 'missing_params'],
      [{ amount: 4_999 }, 'Invalid Amount Sent'],
      [{ amount: 5000.5 }, 'Invalid Amount Sent'],
      [{ amount: -5000 }, 'Invalid Amount Sent'],
      [{ amount: 100_000_000_001 }, 'Transaction amount limit exceeded'],
      [{ reference: 'SV_1' }, 'Invalid character in transaction reference'],
      [{ currency: 'USD' }, 'Currency not supported by merchant', 'unsupported_currency'],
      [{ callback_url: 'javascript:alert(1)' }, 'Invalid callback URL'],
    ],
    refusal: (message, code = 'invalid_params') => ({
      status: 400,
      body: { status: false, message, type: 'validation_error', code },
    }),
    paid: {
      ...{ order: { metadata: '{"a":1}' }, kobo: 500_000 },
      shown: {
        ...{ status: 'success', amount: 500_000, requested_amount: 500_000, fees: 17_500 },
        ...{ channel: 'card', gateway_response: 'Successful', metadata: { a: 1 } },
        paid_at: '2026-03-02T09:00:00.000Z',
      },
    },
    list: '/transaction?',
    filters: [
      ['status=success', [0]],
      ['status=nonsense', []],
      ['from=2026-03-02&to=2026-03-02', [0, 1, 2]],
      ['from=2026-03-03', []],
      ['to=2026-03-02T09:00:59Z', [2]],
    ],
    page: {
      ...{ query: 'perPage=2&page=', size: 2, states: ({ meta }) => meta },
      stated: { total: 3, total_volume: 1_020_000, skipped: 2, perPage: 2, page: 2, pageCount: 2 },
    },
    id: 'reference',
  },
  flutterwave: {
    refusals: [
      [{ tx_ref: undefined }, 'tx_ref is required'],
      [{ amount: undefined }, 'amount is required'],
      ...[0, -5, 1.005].map((amount): [object, string] => [{ amount }, noAmount]),
      ...[{}, undefined].map((customer): [object, string] => [{ customer }, noName]),
      [{ customer: { email: 'ada' } }, 'customer.email must be a valid email'],
      [{ redirect_url: undefined }, 'redirect_url is required'],
      [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url must be a valid url'],
      [{ currency: 'USD' }, 'currency is not supported by this merchant'],
      [{ configurations: { session_duration: 1441 } }, noMinutes],
    ],
    refusal: (message) => ({ status: 400, body: { status: 'error', message, data: null } }),
    paid: {
      order: { meta: { order: '7' }, customer: { email: 'ada@example.com', name: 'Ada Obi' } },
      kobo: 250_000,
      shown: {
        ...{ status: 'successful', currency: 'NGN', payment_type: 'card', meta: { order: '7' } },
        ...{ amount: 2500, charged_amount: 2500, app_fee: 35, merchant_fee: 0 },
        ...{ amount_settled: 2462.37, created_at: '2026-03-02T09:00:00.000Z' },
      },
    },
    list: '/transactions?',
    filters: [
      ['status=successful', [0]],
      ['status=pending', []],
      ['from=2026-03-02&to=2026-03-02', [0]],
      ['from=2026-03-03', []],
      ['to=2026-03-01', []],
      ['currency=USD', []],
      ['customer_email=ada@example.com', [0]],
    ],
    page: {
      ...{ query: 'page=', size: 20, states: ({ meta }) => meta.page_info },
      stated: { total: 21, current_page: 2, total_pages: 2 },
    },
    id: 'tx_ref',
  },
  monnify: {
    refusals: [
      ...[{ amount: undefined }, { amount: 100.005 }, { paymentReference: undefined }],
      ...[{ customerEmail: undefined }, { customerEmail: 'ada' }],
      ...[{ paymentMethods: ['QR'] }, { redirectUrl: 'shop' }],
    ]
      .map((fields): Payments['refusals'][number] => [fields, malformed])
      .concat([
        [{ amount: 19.99 }, 'Amount must be at least 20.00'],
        [{ currencyCode: 'USD' }, 'Unknown currency code supplied', 422],
        [{ contractCode: '1' }, 'Could not find specified contract', 422],
      ]),
    refusal: (responseMessage, status = 400) => ({
      status: Number(status),
      body: { requestSuccessful: false, responseMessage, responseCode: '99' },
    }),
    paid: {
      kobo: 500_000,
      shown: {
        ...{ paymentStatus: 'PAID', amountPaid: '5000.00', totalPayable: '5000.00' },
        ...{ settlementAmount: '4925.00', paymentMethod: 'CARD', accountDetails: null },
        paidOn: '02/03/2026 10:00:00 AM',
      },
    },
    list: '/api/v1/transactions/search?',
    filters: [
      ['amount=200', [0]],
      ['fromAmount=200&toAmount=4999.99', [0]],
      ['fromAmount=200.01', [1, 2]],
      [`from=${Date.parse('2026-03-02T09:01:00Z')}`, [0, 1]],
      [`to=${Date.parse('2026-03-02T09:00:59.999Z')}`, [2]],
      ['customerName=Bola', []],
      ['customerEmail=ada@example.com', [0, 1, 2]],
      ['transactionReference=nosuch', []],
      ['paymentStatus=PAID', [0]],
      ['paymentStatusParam=PENDING', [1, 2]],
      ['paymentStatus=ABANDONED', []],
      ['paymentStatus=constructor', []],
      ['page=5', []],
    ],
    page: {
      ...{ query: 'size=2&page=', size: 2, states: ({ responseBody }) => responseBody },
      stated: { totalElements: 3, totalPages: 2, number: 1, size: 2, last: true, first: false },
    },
    id: 'paymentReference',
  },
};

for (const provider of Object.keys(providers) as ProviderName[]) {
  const { refusals, refusal, paid, list, filters, page, id } = providers[provider];

  describe(`sandbox: payments of ${provider}`, () => {
    const fixture = forEachTest(() => openFixture({ provider }));
    const rowsOf = ({ data, responseBody }: Json): Json[] => data ?? responseBody.content;

    it('are refused in its own words', async () => {
      for (const [fields, message, other] of refusals) {
        const { status, body } = await fixture.create(fields);
        expect({ status, body }, JSON.stringify(fields)).to.containSubset(refusal(message, other));
      }
    });

    it('have one page for a reference, also of two at once, or another page each time', async () => {
      const reference = newReference();
      const replies = await Promise.all([1, 2].map(() => fixture.create({ [id]: reference })));
      const statuses = { paystack: [200, 400], flutterwave: [200, 200], monnify: [200, 422] };
      expect(replies.map(({ status }) => status).sort()).to.deep.equal(statuses[provider]);
      const again = { creates: 2, distinct_references: 1, resent_after_accept: 1 };
      expect(await fixture.stats()).to.include(again);
      const links = new Set(replies.map(({ body }) => body.data?.link));
      if (provider === 'flutterwave') expect(links.size).to.equal(2);
      const nextStep = 'Try and create the Transaction or Charge with a new reference';
      if (provider === 'paystack')
        expect(replies.find(({ status }) => status === 400)!.body).to.deep.equal({
          ...{ status: false, message: 'Duplicate Transaction Reference', meta: { nextStep } },
          ...{ type: 'validation_error', code: 'duplicate_reference' },
          errorCodeMappingNotFound: false,
        });
    });

    it('are shown once they are paid, with their fee, and to no other account', async () => {
      const amount = provider === 'paystack' ? paid.kobo : paid.kobo / 100;
      const reference = await fixture.order({ ...paid.order, amount });
      await fixture.pay(reference);
      const shown = await fixture.shown(reference);
      expect(shown).to.deep.include({ [id]: reference, ...paid.shown });
      const byId = {
        paystack: `/transaction/${shown.id}`,
        flutterwave: `/transactions/${shown.id}/verify`,
        monnify: `/api/v2/transactions/${encodeURIComponent(shown.transactionReference)}`,
      }[provider];
      expect(await fixture.get(byId)).to.deep.equal(shown);
      const { api_key, secret_key } = (await fixture.stranger()).keys;
      const key = api_key
        ? (await fixture.login(api_key, secret_key)).body.responseBody.accessToken
        : secret_key;
      const { status } = await fixture.call('GET', byId, undefined, key);
      expect(status).to.equal(provider === 'flutterwave' ? 400 : 404);
    });

    it('are listed newest first, page by page, and by what they say', async () => {
      const references = [await fixture.order()];
      await fixture.pass(60_000);
      references.unshift(await fixture.order());
      references.unshift(await fixture.sale(20_000));
      const read = async (query: string) => (await fixture.call('GET', list + query)).body;
      const idsOf = (body: Json) => rowsOf(body).map((row) => row[id]);
      for (const [query, found] of filters)
        expect(idsOf(await read(query)), query).to.deep.equal(found.map((at) => references[at]));
      const { query, size, states, stated } = page;
      // At Flutterwave only what was tried is a transaction.
      for (let tried = 1; size === 20 && tried <= size; tried++)
        references.unshift(await fixture.sale(10_000, { notify: false, outcome: 'failed' }));
      const first = provider === 'monnify' ? 0 : 1;
      const pages = [await read(query + first), await read(query + (first + 1))];
      const listed = size === 20 ? references.slice(0, 21) : references;
      expect(pages.flatMap(idsOf)).to.deep.equal(listed);
      expect(rowsOf(pages[0])).to.have.length(size);
      expect(states(pages[1])).to.include(stated);
    });
  });
}

describe('sandbox: payments of paystack alone', () => {
  it('have a reference of its own where none is given, and an amount as text', async () => {
    await using fixture = await openFixture();
    const { body } = await fixture.create({ amount: '20000', reference: undefined });
    expect(body).to.include({ status: true, message: 'Authorization URL created' });
    const { authorization_url, access_code, reference } = body.data;
    expect(reference).to.match(/^[a-z0-9]{10}$/);
    expect(authorization_url).to.equal(`${fixture.sandbox.url}/paystack/checkout/${access_code}`);
    const open = { requested_amount: 20_000, metadata: '', status: 'abandoned' };
    expect(await fixture.shown(reference)).to.include(open);
    const { authorization } = await fixture.shown(await fixture.sale());
    expect(authorization).to.include({ last4: '4081', card_type: 'visa ', channel: 'card' });
  });
});

describe('sandbox: payments of flutterwave alone', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'flutterwave' }));

  it('have the naira that were sent, to the kobo', async () => {
    const amounts = { 0.07: 7, 1.15: 115, 4503599627370.49: 450_359_962_737_049 };
    for (const [naira, kobo] of Object.entries(amounts))
      for (const amount of [naira, Number(naira)]) {
        const reference = await fixture.order({ amount });
        expect((await fixture.pay(reference)).body).to.include({ paid_kobo: kobo });
        expect((await fixture.shown(reference)).amount).to.equal(Number(amount));
      }
  });

  it('can be made for half an hour, or for the minutes asked for, until their link is disabled', async () => {
    const short = await fixture.order();
    const long = await fixture.order({ configurations: { session_duration: 45 } });
    const other = await fixture.order({ configuration: { session_duration: '45' } });
    const statusOf = async (reference: string, outcome = 'success') =>
      (await fixture.pay(reference, { outcome, notify: false })).status;
    await fixture.pass(29 * 60_000);
    expect(await statusOf(short, 'failed')).to.equal(200);
    await fixture.pass(60_000);
    const statuses = [await statusOf(short), await statusOf(short, 'failed'), await statusOf(long)];
    expect(statuses).to.deep.equal([409, 409, 200]);
    await fixture.pass(15 * 60_000);
    expect(await statusOf(other)).to.equal(409);
    const { reference, url: link } = await fixture.open();
    const disable = async (key?: string) =>
      (await fixture.call('POST', '/payments/link/disable', { link }, key)).body;
    expect(await disable((await fixture.stranger()).keys.secret_key)).to.include({
      status: 'error',
    });
    expect(await disable()).to.include({ status: 'success' });
    expect(await disable()).to.include({ message: 'This payment link is currently inactive' });
    expect(await statusOf(reference)).to.equal(409);
  });

  it('are one transaction for each try under one tx_ref, flat where they are listed', async () => {
    const other = (await fixture.pay(await fixture.order())).body.id;
    const reference = await fixture.order();
    const ids: number[] = [];
    for (const outcome of ['failed', 'failed', 'success'])
      ids.unshift((await fixture.pay(reference, { outcome })).body.id);
    const tries = await fixture.get(`/transactions?tx_ref=${reference}`);
    expect(tries.map((row: Json) => row.id)).to.deep.equal(ids.map(String));
    const statuses = ['successful', 'failed', 'failed'];
    expect(tries.map((row: Json) => row.status)).to.deep.equal(statuses);
    expect(tries[0]).to.include({ customer_email: 'ada@example.com', amount_settled: 4924.75 });
    expect(tries[0]).not.to.have.property('customer');
    const notified = (await fixture.notified()).map(({ data }) => data.id);
    expect(notified).to.have.members([other, ...ids]);
    expect((await fixture.shown(reference)).flw_ref).to.match(/^FLW-MOCK-[0-9a-f]{32}$/);
  });
});

describe('sandbox: payments of monnify alone', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'monnify' }));

  it('are answered with two references and their page', async () => {
    const paymentReference = newReference();
    const paymentMethods = ['CARD', 'ACCOUNT_TRANSFER'];
    const metaData = { charge: 'SV-1' };
    const { body } = await fixture.create({ paymentReference, paymentMethods, metaData });
    const { transactionReference } = body.responseBody;
    expect(transactionReference).to.match(/^MNFY\|\d\d\|20260302100000\|\d{6}$/);
    expect(body).to.deep.equal({
      ...{ requestSuccessful: true, responseMessage: 'success', responseCode: '0' },
      responseBody: {
        ...{ transactionReference, paymentReference, apiKey: fixture.keys.api_key, metaData },
        merchantName: `Sandbox Merchant ${fixture.accountId}`,
        redirectUrl: 'https://shop.example/done?cart=1',
        checkoutUrl: `${fixture.sandbox.url}/monnify/checkout/${transactionReference}`,
        ...{ enabledPaymentMethod: paymentMethods, incomeSplitConfig: [] },
      },
    });
    const many = await Promise.all(Array.from({ length: 120 }, () => fixture.create()));
    const references = many.map((reply) => reply.body.responseBody.transactionReference);
    expect(new Set(references).size).to.equal(120);
  });

  it('have times in Lagos, where noon and midnight are twelve', async () => {
    for (const [ms, paidOn] of [
      [2 * 3_600_000, '02/03/2026 12:00:00 PM'],
      [12 * 3_600_000 + 1000, '03/03/2026 12:00:01 AM'],
    ] as const) {
      await fixture.pass(ms);
      await fixture.login();
      expect(await fixture.shown(await fixture.sale())).to.include({ paidOn });
    }
  });

  it('are found by every status exactly where they have it', async () => {
    const reversed = await fixture.sale(500_000, { channel: 'bank_transfer' });
    await fixture.control('/refund', { reference: reversed, now: true });
    const expired = await fixture.order();
    await fixture.pass(2_400_000);
    const disputed = await fixture.sale();
    await fixture.control('/dispute', { reference: disputed, outcome: 'lost' });
    const byStatus = {
      ...{ REVERSED: reversed, EXPIRED: expired, PAID: disputed },
      FAILED: await fixture.sale(500_000, { outcome: 'failed' }),
      OVERPAID: await fixture.sale(500_000, { amount_kobo: 500_001 }),
      PARTIALLY_PAID: await fixture.sale(500_000, { amount_kobo: 499_999 }),
    };
    for (const [paymentStatus, reference] of Object.entries(byStatus)) {
      const { content } = await fixture.get(
        `/api/v1/transactions/search?paymentStatus=${paymentStatus}`,
      );
      expect(content.map((row: Json) => row.paymentReference)).to.deep.equal([reference]);
      expect(await fixture.shown(reference)).to.include({ paymentStatus });
    }
  });

  it('are searched with their fee, amounts as numbers and dates with their offset', async () => {
    const paymentReference = await fixture.sale(39_101, { channel: 'bank_transfer' });
    const shown = await fixture.shown(paymentReference);
    const { transactionReference } = shown;
    const query = `transactionReference=${encodeURIComponent(transactionReference)}`;
    const asked = await fixture.get(`/api/v2/merchant/transactions/query?${query}`);
    expect(asked).to.deep.equal(shown);
    const found = await fixture.get(
      `/api/v1/transactions/search?paymentReference=${paymentReference}`,
    );
    expect(found.content).to.deep.equal([
      {
        ...{ transactionReference, paymentReference, paymentStatus: 'PAID', completed: true },
        customerDTO: { email: 'ada@example.com', name: 'Ada Obi' },
        ...{ paymentMethod: 'ACCOUNT_TRANSFER', paymentDescription: 'Two bags of rice' },
        ...{ createdOn: '2026-03-02T09:00:00.000+0000', currencyCode: 'NGN' },
        ...{ amount: 391.01, amountPaid: 391.01, payableAmount: 391.01, fee: 5.87 },
        ...{ settlementAmount: 385.14, completedOn: '2026-03-02T09:00:00.000+0000' },
        merchantName: `Sandbox Merchant ${fixture.accountId}`,
      },
    ]);
  });
});
