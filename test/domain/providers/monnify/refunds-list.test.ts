import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  no,
  ok,
  opened,
  options,
  payment,
  refundId,
  refundShape,
} from './examples.ts';

const page = (number: number) => api().get(`/api/v1/refunds?page=${number}&size=100`);

describe("Monnify, asked for a payment's refunds", () => {
  useNock();

  const springPage = (content: unknown, last: unknown) =>
    ok({ content, last, totalPages: 9, number: 0, size: 100 });
  const foreign = (createdOn: unknown) =>
    refundShape({
      transactionReference: 'MNFY|1|20260302101424|000001',
      refundReference: 'x',
      createdOn,
    });

  it('finds all of them on every page, whoever began them, each once', async () => {
    const account = loggedIn();
    page(0).reply(
      200,
      springPage(
        [foreign('04/03/2026 9:00:00 AM'), refundShape({ refundReference: 'dashboard-1' })],
        false,
      ),
    );
    page(1).reply(
      200,
      springPage([refundShape({ refundReference: 'dashboard-1' }), foreign('soon')], false),
    );
    page(2).reply(
      200,
      springPage([refundShape({ refundAmount: '20.00', refundStatus: 'COMPLETED' })], true),
    );
    const refunds = await account.listRefunds(payment, options);
    expect(
      refunds.map(({ providerRefundId, refundId, amountKobo, state }) => [
        providerRefundId,
        refundId,
        amountKobo,
        state,
      ]),
    ).to.deep.equal([
      ['dashboard-1', null, 10_050, 'processing'],
      [refundId, refundId, 2_000, 'completed'],
    ]);
    expect(JSON.parse(refunds[1]!.raw)).to.include({ refundReference: refundId });
  });

  it('does not take an id of ours inside another reference for ours', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([refundShape({ refundReference: `again-${refundId}` })], true));
    expect((await account.listRefunds(payment, options))[0]).to.include({ refundId: null });
  });

  it('reads no further than the payment is old', async () => {
    const account = loggedIn();
    page(0).reply(200, springPage([refundShape(), foreign('01/03/2026 10:15:03 AM')], false));
    page(1).reply(200, springPage([foreign('01/03/2026 10:15:01 AM')], false));
    expect(await account.listRefunds(payment, options)).to.have.length(1);
  });

  it('reads on where the newest do not come first', async () => {
    const account = loggedIn();
    page(0).reply(
      200,
      springPage([foreign('01/01/2026 9:00:00 AM'), foreign('02/01/2026 9:00:00 AM')], false),
    );
    page(1).reply(200, springPage([foreign('03/01/2026 9:00:00 AM')], false));
    page(2).reply(200, springPage([refundShape()], true));
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
    for (let number = 0; number < 20; number++)
      page(number).reply(200, springPage([refundShape()], false));
    expect(await errorOf(account.listRefunds(payment, options))).to.deep.equal({
      kind: 'unknown',
      stage: 'refunds',
      message: 'Monnify has too many refunds to read them all',
    });
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a failure', 500, no('An error occurred'), 'unknown'],
    ['a no', 403, no('Refunds are not enabled'), 'refused'],
    ['no list', 200, ok({ last: true }), 'unknown'],
    ['a list of something else', 200, springPage([7], true), 'unknown'],
    [
      'a refund without a reference',
      200,
      springPage([refundShape({ refundReference: null })], true),
      'unknown',
    ],
    [
      'a refund of nobody knows how much',
      200,
      springPage([refundShape({ refundAmount: 'some' })], true),
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`never takes ${what} for none, on the second page neither`, async () => {
      const account = loggedIn();
      page(0).reply(200, springPage([refundShape()], false));
      page(1).reply(status, body as object);
      expect(await errorOf(account.listRefunds(payment, options))).to.include({
        kind,
        stage: 'refunds',
      });
    });
  }

  it('knows no disputes, without being asked', async () => {
    expect(await opened().listDisputes({ payment }, options)).to.deep.equal([]);
  });
});
