import { expect } from 'chai';
import type { ProviderErrorKind } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  no,
  ok,
  options,
  payment,
  refundId,
  refundShape,
  transactionReference,
} from './examples.ts';

const order = { ...payment, refundId, amountKobo: 10_050, reason: 'Two of five came back' };
const wanted = { refundId, providerRefundId: null, payment };
const initiate = () => api().post('/api/v1/refunds/initiate-refund');
const one = (id = refundId) => api().get(`/api/v1/refunds/${id}`);

describe('Monnify, asked to send money back', () => {
  useNock();

  it('is told our id, the amount digit by digit, and texts it has room for', async () => {
    const account = loggedIn();
    let sent = '';
    initiate().reply(200, async (request: any) => {
      sent = await request.text();
      return ok(refundShape());
    });
    const refund = await account.refund(
      { ...order, reason: `${'x'.repeat(63)}😀 and more\n` },
      options,
    );
    expect(sent).to.include('"refundAmount":100.50,');
    expect(JSON.parse(sent)).to.deep.equal({
      ...{
        transactionReference,
        refundReference: refundId,
        refundAmount: 100.5,
        refundReason: `${'x'.repeat(63)}\ufffd`,
      },
      customerNote: 'Refund',
    });
    expect(refund).to.deep.equal({
      ...{
        providerRefundId: refundId,
        refundId,
        amountKobo: 10_050,
        state: 'processing',
        status: 'PENDING',
        message: null,
      },
      ...{ completedAt: null, raw: JSON.stringify(ok(refundShape())) },
    });
  });

  it('is given a reason in any case', async () => {
    const account = loggedIn();
    initiate().reply(200, async (request: any) => {
      expect(JSON.parse(await request.text()).refundReason).to.equal('Refund');
      return ok(refundShape());
    });
    await account.refund({ ...order, reason: ' \n' }, options);
  });

  const refusals: [code: string, kind: ProviderErrorKind, told: string][] = [
    ['R1', 'refused', 'Monnify knows no such payment.'],
    ['R2', 'refused', 'Monnify does not refund this payment: it refunds bank transfers only.'],
    ['R3', 'refused', 'The refund is more than the payment.'],
    ['R4', 'refused', 'Monnify refunds no less than ₦100.'],
    [
      'R5',
      'refused',
      'The Monnify wallet does not hold enough for this refund. Top it up and ask again.',
    ],
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
      expect(await errorOf(account.refund(order, options))).to.deep.equal({
        kind,
        stage: 'refund',
        message,
      });
    });
  }

  it('means a code of its own under status 200 too', async () => {
    const account = loggedIn();
    initiate().reply(200, no('Refund not permitted', 'R2'));
    expect((await errorOf(account.refund(order, options))).kind).to.equal('refused');
  });

  const unclear: [what: string, status: number, body: object | string, kind: string][] = [
    ['a code of its own under status 500', 500, no('Refund not permitted', 'R2'), 'unknown'],
    [
      'an accident',
      400,
      no('There was an error processing the request, Please try again later...'),
      'unknown',
    ],
    ['99 under status 200', 200, no('Something went wrong'), 'unknown'],
    ['somebody else’s no', 403, { error: 'R2' }, 'unknown'],
    ['success with a code', 200, { ...ok(refundShape()), responseCode: 'R2' }, 'unknown'],
    ['another refund', 200, ok(refundShape({ refundReference: 'ref_other' })), 'unknown'],
    ['no refund', 200, ok({}), 'unknown'],
    ['no amount', 200, ok(refundShape({ refundAmount: null })), 'unknown'],
    ['parts of a kobo', 200, ok(refundShape({ refundAmount: '100.505' })), 'unknown'],
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
  useNock();

  const find = async (overrides: Record<string, unknown>) => {
    const account = loggedIn();
    one().reply(200, ok(refundShape(overrides)));
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
      expect(refund).to.include({
        state,
        status: typeof status === 'string' ? status.trim().toUpperCase() : '',
      });
    });
  }

  it('says when it completed, and what it says of one that failed', async () => {
    const completed = await find({
      refundStatus: 'COMPLETED',
      completedOn: '02/03/2026 12:20:23 PM',
      comment: 'Refund processed',
    });
    expect(completed).to.deep.include({
      completedAt: new Date('2026-03-02T11:20:23Z'),
      message: null,
    });
    const failed = await find({
      refundStatus: 'FAILED',
      completedOn: '02/03/2026 12:20:23 PM',
      comment: ' Bank is\ndown ',
    });
    expect(failed).to.deep.include({ completedAt: null, message: 'Bank is down' });
    expect(await find({ refundStatus: 'FAILED', comment: null })).to.include({ message: null });
    expect(
      await find({ refundStatus: 'PENDING', completedOn: '02/03/2026 12:20:23 PM' }),
    ).to.include({ completedAt: null });
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
    ['JSON that is not its own', 404, { responseCode: 'R7' }, 'unknown'],
    ['a failure that says so', 500, no('x', 'R7'), 'unknown'],
    ['a limit that says so', 429, no('x', 'R7'), 'limited'],
    ['another no', 422, no('x', '99'), 'refused'],
    ['success with that code', 200, { ...ok(refundShape()), responseCode: 'R7' }, 'unknown'],
    ['another refund', 200, ok(refundShape({ refundReference: 'ref_other' })), 'unknown'],
  ];
  for (const [what, status, body, kind] of others) {
    it(`never takes ${what} for none`, async () => {
      const account = loggedIn();
      one().reply(status, body as object);
      expect(await errorOf(account.findRefund(wanted, options))).to.include({
        kind,
        stage: 'find refund',
      });
    });
  }

  it('is asked by its own reference where it is known, encoded, and told from ours', async () => {
    const account = loggedIn();
    let url = '';
    api()
      .get(/.*/)
      .reply(200, (request: any) => {
        url = request.url;
        return ok(refundShape({ refundReference: 'dash|1/2' }));
      });
    const refund = await account.findRefund({ ...wanted, providerRefundId: 'dash|1/2' }, options);
    expect(url).to.match(/\/refunds\/dash%7C1%2F2$/);
    expect(refund).to.include({ providerRefundId: 'dash|1/2', refundId: null });
  });
});
