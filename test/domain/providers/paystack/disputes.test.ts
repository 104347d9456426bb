import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, listed, options, payment, transaction } from './given.ts';

const since = new Date('2026-03-01T00:00:00Z');
const ofPayment = () =>
  api().get('/dispute').query({ transaction: '4099260516', perPage: '100', page: '1' });
const fromThen = (page = 1) =>
  api().get('/dispute').query({ from: '2026-03-01T00:00:00.000Z', perPage: '100', page });

function disputeRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 358950,
      refund_amount: 500_000,
      currency: 'NGN',
      status: 'awaiting-merchant-feedback',
      resolution: null,
      domain: 'test',
    },
    ...{
      transaction: transaction(),
      transaction_reference: null,
      category: 'chargeback',
      resolvedAt: null,
      evidence: null,
    },
    ...{ createdAt: '2026-03-03T13:46:57.000Z', updatedAt: '2026-03-03T18:00:02.000Z' },
    ...overrides,
  };
}

async function readAs(overrides: Record<string, unknown>) {
  ofPayment().reply(200, listed([disputeRow(overrides)]));
  return (await account.listDisputes({ payment }, options))[0]!;
}

describe('Paystack, asked for disputes', () => {
  onTheWire();

  it('states those of a payment', async () => {
    ofPayment().reply(200, listed([disputeRow()]));
    expect(await account.listDisputes({ payment }, options)).to.deep.equal([
      {
        ...{
          providerDisputeId: '358950',
          providerPaymentId: '4099260516',
          state: 'open',
          status: 'awaiting-merchant-feedback',
        },
        ...{ amountKobo: 500_000, raw: JSON.stringify(disputeRow()) },
      },
    ]);
  });

  const states: [status: unknown, resolution: unknown, state: string, told: string][] = [
    ['awaiting-merchant-feedback', null, 'open', 'awaiting-merchant-feedback'],
    ['awaiting-bank-feedback', null, 'open', 'awaiting-bank-feedback'],
    ['pending', undefined, 'open', 'pending'],
    ['resolved', 'declined', 'won', 'resolved (declined)'],
    ['resolved', 'merchant-accepted', 'lost', 'resolved (merchant-accepted)'],
    ['Resolved', 'AUTO-ACCEPTED', 'lost', 'resolved (auto-accepted)'],
    ['resolved', null, 'unknown', 'resolved'],
    ['resolved', 'toString', 'unknown', 'resolved (tostring)'],
    ['archived', 'declined', 'unknown', 'archived (declined)'],
    ['archived', null, 'unknown', 'archived'],
    [7, null, 'unknown', ''],
  ];
  for (const [status, resolution, state, told] of states) {
    it(`reads ${JSON.stringify(status)} and ${JSON.stringify(resolution) ?? 'nothing'} as ${state}`, async () => {
      expect(await readAs({ status, resolution })).to.include({ state, status: told });
    });
  }

  it('reads the payment as its id or whole, and an amount that is text or not stated', async () => {
    expect(await readAs({ transaction: 4099260516, refund_amount: '5800' })).to.include({
      amountKobo: 5_800,
    });
    expect(await readAs({ transaction: { id: '4099260516' }, refund_amount: null })).to.include({
      amountKobo: null,
    });
  });

  it('takes no dispute of another payment for one of this', async () => {
    ofPayment().reply(200, listed([disputeRow({ transaction: { id: 7 } })]));
    expect(await account.listDisputes({ payment }, options)).to.deep.equal([]);
  });

  it('states all that began since a moment, page by page', async () => {
    fromThen().reply(200, listed([disputeRow({ id: 2, transaction: 7 })], 2));
    fromThen(2).reply(200, listed([disputeRow({ id: 1, transaction: 8 })], 2));
    const disputes = await account.listDisputes({ since }, options);
    expect(
      disputes.map((dispute) => [dispute.providerDisputeId, dispute.providerPaymentId]),
    ).to.deep.equal([
      ['2', '7'],
      ['1', '8'],
    ]);
  });

  it('never gives a list with a hole: too long, or with a row that cannot be read', async () => {
    for (let page = 1; page <= 50; page++)
      fromThen(page).reply(200, listed([disputeRow({ id: page })], 51));
    expect(await errorOf(account.listDisputes({ since }, options))).to.include({
      kind: 'unknown',
      stage: 'list disputes',
    });
    for (const odd of [
      { id: null },
      { transaction: null },
      { transaction: {} },
      { refund_amount: 'much' },
    ]) {
      fromThen().reply(200, listed([disputeRow(odd)]));
      expect(
        (await errorOf(account.listDisputes({ since }, options))).kind,
        JSON.stringify(odd),
      ).to.equal('unknown');
    }
  });

  it('is refused with a key that is not accepted, and never called empty', async () => {
    fromThen().reply(401, { status: false, message: 'Invalid key' });
    expect((await errorOf(account.listDisputes({ since }, options))).kind).to.equal('refused');
  });
});
