import { expect } from 'chai';
import type { ProviderErrorKind } from '../../../domain/providers/provider.ts';
import { errorOf, onTheWire } from '../wire.ts';
import { api, loggedIn, no, ok, opened, options, reference, transactionReference } from './given.ts';

const refundId = 'ref_01kjp4x8qdf7v8w9y0z1a2b3c4';
const payment = { providerPaymentId: transactionReference, reference, capturedAt: new Date('2026-03-02T09:15:02Z') };
const order = { ...payment, refundId, amountKobo: 10_050, reason: 'Two of five came back' };
const wanted = { refundId, providerRefundId: null, payment };

const shape = (overrides: Record<string, unknown> = {}) => ({
  ...{ refundReference: refundId, transactionReference, refundReason: order.reason, customerNote: 'Refund', refundAmount: 100.5 },
  ...{ refundType: 'PARTIAL_REFUND', refundStatus: 'PENDING', refundStrategy: 'MERCHANT_WALLET', comment: 'Refund is being processed' },
  ...{ createdOn: '02/03/2026 11:20:02 AM', ...overrides },
});
const initiate = () => api().post('/api/v1/refunds/initiate-refund');
const one = (id = refundId) => api().get(`/api/v1/refunds/${id}`);
const page = (number: number) => api().get(`/api/v1/refunds?page=${number}&size=100`);

describe('Monnify, asked to send money back', () => {
  onTheWire();

  it('is told our id, the amount digit by digit, and texts it has room for', async () => {
    const account = loggedIn();
    let sent = '';
    initiate().reply(200, async (request: any) => {
      sent = await request.text();
      return ok(shape());
    });
    const refund = await account.refund({ ...order, reason: `${'x'.repeat(63)}😀 and more\n` }, options);
    expect(sent).to.include('"refundAmount":100.50,');
    expect(JSON.parse(sent)).to.deep.equal({
      ...{ transactionReference, refundReference: refundId, refundAmount: 100.5, refundReason: `${'x'.repeat(63)}\ufffd` },
      customerNote: 'Refund',
    });
    expect(refund).to.deep.equal({
      ...{ providerRefundId: refundId, refundId, amountKobo: 10_050, state: 'processing', status: 'PENDING', message: null },
      ...{ completedAt: null, raw: JSON.stringify(ok(shape())) },
    });
  });

  it('is given a reason in any case', async () => {
    const account = loggedIn();
    initiate().reply(200, async (request: any) => {
      expect(JSON.parse(await request.text()).refundReason).to.equal('Refund');
      return ok(shape());
    });
    await account.refund({ ...order, reason: ' \n' }, options);
  });

  const refusals: [code: string, kind: ProviderErrorKind, told: string][] = [
    ['R1', 'refused', 'Monnify knows no such payment.'],
    ['R2', 'refused', 'Monnify does not refund this payment: it refunds bank transfers only.'],
    ['R3', 'refused', 'The refund is more than the payment.'],
    ['R4', 'refused', 'Monnify refunds no less than ₦100.'],
    ['R5', 'refused', 'The Monnify wallet does not hold enough for this refund. Top it up and ask again.'],
    ['R6', 'refused', 'Monnify knows no valid bank account of the payer to send the money to.'],
    ['R8', 'refused', 'A text that goes with the refund is too long for Monnify.'],
    ['R9', 'duplicate', 'In its own words'],
    ['R10', 'retryable', 'In its own words'],
    ['R11', 'retryable', 'In its own words'],
    ['R12', 'refused', 'The refunds of this payment together are more than it.'],
    ['M01', 'refused', 'In its own words'],
    ['99', 'refused', 'In its own words'],
  ];
  for (const [code, kind, message] of refusals) {
    it(`says with ${code} what stands in the way: ${kind}`, async () => {
      const account = loggedIn();
      initiate().reply(code === 'R1' ? 404 : 422, no('In its own words', code));
      expect(await errorOf(account.refund(order, options))).to.deep.equal({ kind, stage: 'refund', message });
    });
  }

  it('means a code of its own under status 200 too', async () => {
    const account = loggedIn();
    initiate().reply(200, no('Refund not permitted', 'R2'));
    expect((await errorOf(account.refund(order, options))).kind).to.equal('refused');
  });

  const unclear: [what: string, status: number, body: object | string, kind: string][] = [
    ['a code of its own under status 500', 500, no('Refund not permitted', 'R2'), 'unknown'],
    ['a failure', 500, no('An error occurred'), 'unknown'],
    ['an accident', 400, no('There was an error processing the request, Please try again later...'), 'unknown'],
    ['99 under status 200', 200, no('Something went wrong'), 'unknown'],
    ['a page', 502, '<html>502</html>', 'unknown'],
    ['somebody else’s no', 403, { error: 'R2' }, 'unknown'],
    ['success with a code', 200, { ...ok(shape()), responseCode: 'R2' }, 'unknown'],
    ['another refund', 200, ok(shape({ refundReference: 'ref_other' })), 'unknown'],
    ['no refund', 200, ok({}), 'unknown'],
    ['no amount', 200, ok(shape({ refundAmount: null })), 'unknown'],
    ['parts of a kobo', 200, ok(shape({ refundAmount: '100.505' })), 'unknown'],
    ['a limit', 429, no('Too many requests'), 'limited'],
  ];
  for (const [what, status, body, kind] of unclear) {
    it(`may have begun it, or not: ${what}`, async () => {
      const account = loggedIn();
      initiate().reply(status, body as object);
      expect(await errorOf(account.refund(order, options))).to.include({ kind, stage: 'refund' });
    });
  }
});

describe('Monnify, asked for a refund', () => {
  onTheWire();

  const find = async (overrides: Record<string, unknown>) => {
    const account = loggedIn();
    one().reply(200, ok(shape(overrides)));
    return account.findRefund(wanted, options);
  };

  const states: [status: unknown, state: string][] = [
    ['PENDING', 'processing'],
    ['IN_PROGRESS', 'processing'],
    ['COMPLETED', 'completed'],
    ['FAILED', 'failed'],
    ['completed ', 'completed'],
    ['REVERSED', 'unknown'],
    ['constructor', 'unknown'],
    [null, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}`, async () => {
      const refund = await find({ refundStatus: status });
      expect(refund).to.include({ state, status: typeof status === 'string' ? status.trim().toUpperCase() : '' });
    });
  }

  it('says when it completed, and what it says of one that failed', async () => {
    const completed = await find({ refundStatus: 'COMPLETED', completedOn: '02/03/2026 12:20:23 PM', comment: 'Refund processed' });
    expect(completed).to.deep.include({ completedAt: new Date('2026-03-02T11:20:23Z'), message: null });
    const failed = await find({ refundStatus: 'FAILED', completedOn: '02/03/2026 12:20:23 PM', comment: ' Bank is\ndown ' });
    expect(failed).to.deep.include({ completedAt: null, message: 'Bank is down' });
    expect(await find({ refundStatus: 'FAILED', comment: null })).to.include({ message: null });
    expect(await find({ refundStatus: 'PENDING', completedOn: '02/03/2026 12:20:23 PM' })).to.include({ completedAt: null });
  });

  it('surely has none only where it says so itself', async () => {
    for (const [status, body] of [
      [404, no('No refund was initiated', 'R7')],
      [422, no('No refund was initiated', 'R7')],
      [400, no('No refund was initiated', 'R7')],
      [404, no('Refund does not exist', 99)],
    ] as const) {
      const account = loggedIn();
      one().reply(status, body);
      expect(await account.findRefund(wanted, options)).to.equal(undefined);
    }
  });

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['a page', 404, '<html>404</html>', 'unknown'],
    ['JSON that is not its own', 404, { responseCode: 'R7' }, 'unknown'],
    ['a failure', 500, no('x', 'R7'), 'unknown'],
    ['a limit', 429, no('x', 'R7'), 'limited'],
    ['another no', 422, no('x', '99'), 'refused'],
    ['success with that code', 200, { ...ok(shape()), responseCode: 'R7' }, 'unknown'],
    ['another refund', 200, ok(shape({ refundReference: 'ref_other' })), 'unknown'],
  ];
  for (const [what, status, body, kind] of others) {
    it(`never takes ${what} for none`, async () => {
      const account = loggedIn();
      one().reply(status, body as object);
      expect(await errorOf(account.findRefund(wanted, options))).to.include({ kind, stage: 'find refund' });
    });
  }

  it('is asked by its own reference where it is known, encoded, and told from ours', async () => {
    const account = loggedIn();
    let url = '';
    api()
      .get(/.*/)
      .reply(200, (request: any) => {
        url = request.url;
        return ok(shape({ refundReference: 'desk|1/2' }));
      });
    const refund = await account.findRefund({ ...wanted, providerRefundId: 'desk|1/2' }, options);
    expect(url).to.match(/\/refunds\/desk%7C1%2F2$/);
    expect(refund).to.include({ providerRefundId: 'desk|1/2', refundId: null });
  });
});

describe("Monnify, asked for a payment's refunds", () => {
  onTheWire();

  const springPage = (content: unknown, last: unknown) => ok({ content, last, totalPages: 9, number: 0, size: 100 });
  const foreign = (createdOn: unknown) => shape({ transactionReference: 'MNFY|1|20260302101424|000001', refundReference: 'x', createdOn });

  it('finds all of them on every page, whoever began them, each once', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([foreign('04/03/2026 9:00:00 AM'), shape({ refundReference: 'desk-1' })], false));
    page(1).reply(200, springPage([shape({ refundReference: 'desk-1' }), foreign('soon')], false));
    page(2).reply(200, springPage([shape({ refundAmount: '20.00', refundStatus: 'COMPLETED' })], true));
    const refunds = await account.listRefunds(payment, options);
    expect(
      refunds.map(({ providerRefundId, refundId, amountKobo, state }) => [providerRefundId, refundId, amountKobo, state]),
    ).to.deep.equal([
      ['desk-1', null, 10_050, 'processing'],
      [refundId, refundId, 2_000, 'completed'],
    ]);
    expect(JSON.parse(refunds[1]!.raw)).to.include({ refundReference: refundId });
  });

  it('does not take an id of ours inside another reference for ours', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([shape({ refundReference: `again-${refundId}` })], true));
    expect((await account.listRefunds(payment, options))[0]).to.include({ refundId: null });
  });

  it('reads no further than the payment is old', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([shape(), foreign('01/03/2026 10:15:03 AM')], false));
    page(1).reply(200, springPage([foreign('01/03/2026 10:15:01 AM')], false));
    expect(await account.listRefunds(payment, options)).to.have.length(1);
  });

  it('reads on where the newest do not come first', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([foreign('01/01/2026 9:00:00 AM'), foreign('02/01/2026 9:00:00 AM')], false));
    page(1).reply(200, springPage([foreign('03/01/2026 9:00:00 AM')], false));
    page(2).reply(200, springPage([shape()], true));
    expect(await account.listRefunds(payment, options)).to.have.length(1);
  });

  it('ends with a page that is empty, or that says it is the last', async () => {
    for (const last of [undefined, false, true]) {
      const account = loggedIn();
      page(0).reply(200, springPage([], last));
      expect(await account.listRefunds(payment, options)).to.deep.equal([]);
    }
  });

  it('tells of none rather than of some', async () => {
    const account = loggedIn();
    for (let number = 0; number < 20; number++) page(number).reply(200, springPage([shape()], false));
    expect(await errorOf(account.listRefunds(payment, options))).to.deep.equal({
      kind: 'unknown',
      stage: 'refunds',
      message: 'Monnify has too many refunds to read them all',
    });
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a failure', 500, no('An error occurred'), 'unknown'],
    ['a page', 404, '<html>404</html>', 'unknown'],
    ['a no', 403, no('Refunds are not enabled'), 'refused'],
    ['a limit', 429, no('Too many requests'), 'limited'],
    ['no list', 200, ok({ last: true }), 'unknown'],
    ['a list of something else', 200, springPage([7], true), 'unknown'],
    ['a refund without a reference', 200, springPage([shape({ refundReference: null })], true), 'unknown'],
    ['a refund of nobody knows how much', 200, springPage([shape({ refundAmount: 'some' })], true), 'unknown'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`never takes ${what} for none, on the second page neither`, async () => {
      const account = loggedIn();
      page(0).reply(200, springPage([shape()], false));
      page(1).reply(status, body as object);
      expect(await errorOf(account.listRefunds(payment, options))).to.include({ kind, stage: 'refunds' });
    });
  }

  it('knows no disputes, without being asked', async () => {
    expect(await opened().listDisputes({ payment }, options)).to.deep.equal([]);
  });
});
