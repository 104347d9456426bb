import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  init,
  loggedIn,
  no,
  ok,
  options,
  order,
  reference,
  transactionReference,
} from './examples.ts';

const url = `https://sandbox.sdk.monnify.com/checkout/${transactionReference}`;
const made = {
  transactionReference,
  paymentReference: reference,
  merchantName: 'Ada & Co',
  checkoutUrl: url,
  metaData: {},
};
const good = ok(made);

/** What is sent for an order, as its bytes. */
async function sentFor(
  overrides: Partial<typeof order> | { name: null; phone: null; description: null },
): Promise<string> {
  const account = loggedIn();
  let sent = '';
  init().reply(200, async (request: any) => {
    sent = await request.text();
    return good;
  });
  await account.create({ ...order, ...overrides }, options);
  return sent;
}

describe('Monnify, asked to create a payment', () => {
  useNock();

  it('answers with the pay page, which lives forty minutes whatever it is asked for', async () => {
    for (const expiresInMs of [60_000, 24 * 3_600_000]) {
      const account = loggedIn();
      init().reply(200, good);
      expect(await account.create({ ...order, expiresInMs }, options)).to.deep.equal({
        url,
        linkExpiresInMs: 2_400_000,
      });
    }
  });

  it('is told everything once, under its contract', async () => {
    expect(JSON.parse(await sentFor({}))).to.deep.equal({
      ...{
        amount: 5000.5,
        currencyCode: 'NGN',
        contractCode: '5867418298',
        paymentReference: reference,
        customerEmail: 'ada@example.com',
      },
      ...{
        customerName: 'Ada',
        paymentDescription: 'Two tickets',
        redirectUrl: 'https://pay.example/pay/ct_1?returned=1',
      },
      metaData: { customer_phone: '+2348012345678' },
    });
  });

  it('is told the amount as a number of naira, digit by digit', async () => {
    const amounts = {
      2000: '20.00',
      10001: '100.01',
      500050: '5000.50',
      99999999999: '999999999.99',
      9007199254740991: '90071992547409.91',
    };
    for (const [amountKobo, digits] of Object.entries(amounts)) {
      expect(await sentFor({ amountKobo: Number(amountKobo) })).to.include(`"amount":${digits},`);
    }
  });

  it('is given a name and a description in any case', async () => {
    const sent = JSON.parse(await sentFor({ name: null, phone: null, description: null }));
    expect(sent).to.deep.include({
      customerName: 'ada@example.com',
      paymentDescription: `Payment ${reference}`,
      metaData: {},
    });
  });

  const duplicates: [status: number, body: object][] = [
    [422, no('Duplicate payment reference')],
    [422, no('Duplicate payment reference', 99)],
    [400, no('Duplicate payment reference')],
    [400, no('duplicate payment reference.', 99)],
    [422, no('Payment already exists')],
    [200, no('Duplicate payment reference')],
  ];
  for (const [status, body] of duplicates) {
    it(`says that the reference was accepted before: ${status} ${JSON.stringify(body)}`, async () => {
      const account = loggedIn();
      init().reply(status, body);
      expect(await errorOf(account.create(order, options))).to.include({
        kind: 'duplicate',
        stage: 'create',
      });
    });
  }

  const refusals: [status: number, body: object, told: string][] = [
    [422, no('Could not find specified contract'), 'Could not find specified contract'],
    [400, no('Unknown currency code supplied', 99), 'Unknown currency code supplied'],
    [400, no(' The request could not be\ncompleted\u0000 '), 'The request could not be completed'],
    [
      404,
      no('The requested resource could not be found'),
      'The requested resource could not be found',
    ],
    [403, no(''), 'HTTP 403'],
  ];
  for (const [status, body, told] of refusals) {
    it(`refuses with ${status} ${JSON.stringify(body)}, told in plain words`, async () => {
      const account = loggedIn();
      init().reply(status, body);
      expect(await errorOf(account.create(order, options))).to.deep.equal({
        kind: 'refused',
        stage: 'create',
        message: told,
      });
    });
  }

  const unknown: [
    what: string,
    status: number,
    body: object | string,
    headers?: Record<string, string>,
  ][] = [
    ['a 500 that says duplicate', 500, no('Duplicate payment reference')],
    [
      'a 400 that tells of an accident',
      400,
      no('There was an error processing the request, Please try again later...'),
    ],
    ['another server’s duplicate', 400, { error: 'Duplicate payment reference' }],
    ['200 and JSON that breaks off', 200, JSON.stringify(good).slice(0, -20)],
    ['success with the code of a failure', 200, { ...good, responseCode: '99' }],
    ['success without a code', 200, { ...good, responseCode: null }],
    ['success without a body', 200, { ...good, responseBody: null }],
    ['success without a link', 200, ok({ ...made, checkoutUrl: undefined })],
    ['success with a link that is none', 200, ok({ ...made, checkoutUrl: 'javascript:alert(1)' })],
    ['success for another reference', 200, ok({ ...made, paymentReference: 'SV-100002-abcdefgh' })],
    ['success for no reference', 200, ok({ ...made, paymentReference: null })],
    ['success under status 500', 500, good],
  ];
  for (const [what, status, body, headers] of unknown) {
    it(`may have made it, or not: ${what}`, async () => {
      const account = loggedIn();
      init().reply(status, body as object, headers ?? {});
      expect(await errorOf(account.create(order, options))).to.include({
        kind: 'unknown',
        stage: 'create',
      });
    });
  }

  it('takes a code that is a number', async () => {
    const account = loggedIn();
    init().reply(200, { ...good, responseCode: 0 });
    expect((await account.create(order, options)).url).to.equal(url);
  });
});
