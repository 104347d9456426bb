import { expect } from 'chai';
import { errorOf } from '../calls.ts';
import { accountAt, listed, options, payment, transaction } from './examples.ts';

const since = new Date('2026-03-01T00:00:00Z');

function disputeRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 358950, refund_amount: 500_000, currency: 'NGN', domain: 'test' },
    ...{ status: 'awaiting-merchant-feedback', resolution: null, category: 'chargeback' },
    ...{ transaction: transaction(), transaction_reference: null, resolvedAt: null },
    ...{ createdAt: '2026-03-03T13:46:57.000Z', updatedAt: '2026-03-03T18:00:02.000Z' },
    ...overrides,
  };
}

const listOf = (data: object[]) =>
  accountAt([200, listed(data)]).account.listDisputes({ payment }, options);
const readAs = async (overrides: Record<string, unknown>) =>
  (await listOf([disputeRow(overrides)]))[0]!;

describe('Listing the disputes of Paystack', () => {
  it('returns those of a payment, and of no other payment', async () => {
    const data = [disputeRow(), disputeRow({ id: 1, transaction: { id: 7 } })];
    const { account, requests } = accountAt([200, listed(data)]);
    expect(await account.listDisputes({ payment }, options)).to.deep.equal([
      {
        ...{ providerDisputeId: '358950', providerPaymentId: '4099260516', state: 'open' },
        ...{ status: 'awaiting-merchant-feedback', amountKobo: 500_000 },
        raw: JSON.stringify(disputeRow()),
      },
    ]);
    expect(requests).to.deep.equal(['GET /dispute?transaction=4099260516&perPage=100&page=1']);
  });

  it('returns all that began since a time, from every page', async () => {
    const { account, requests } = accountAt(
      [200, listed([disputeRow({ id: 2, transaction: 7 })], 2)],
      [200, listed([disputeRow({ id: 1, transaction: '8' })], 2)],
    );
    const disputes = await account.listDisputes({ since }, options);
    expect(disputes.map(({ providerPaymentId }) => providerPaymentId)).to.deep.equal(['7', '8']);
    expect(requests[1]).to.equal(
      'GET /dispute?from=2026-03-01T00%3A00%3A00.000Z&perPage=100&page=2',
    );
  });

  it('reads the state from status and resolution together', async () => {
    const states: [status: unknown, resolution: unknown, state: string, own: string][] = [
      ['awaiting-merchant-feedback', null, 'open', 'awaiting-merchant-feedback'],
      ['awaiting-bank-feedback', null, 'open', 'awaiting-bank-feedback'],
      ['pending', undefined, 'open', 'pending'],
      ['resolved', 'declined', 'won', 'resolved (declined)'],
      ['resolved', 'merchant-accepted', 'lost', 'resolved (merchant-accepted)'],
      ['Resolved', 'AUTO-ACCEPTED', 'lost', 'resolved (auto-accepted)'],
      ['resolved', null, 'unknown', 'resolved'],
      ['resolved', 'toString', 'unknown', 'resolved (tostring)'],
      ['archived', 'declined', 'won', 'archived (declined)'],
      ['archived', 'merchant-accepted', 'lost', 'archived (merchant-accepted)'],
      ['archived', null, 'closed', 'archived'],
      ['archived', 'some-other', 'closed', 'archived (some-other)'],
      [7, null, 'unknown', ''],
    ];
    for (const [status, resolution, state, own] of states)
      expect(await readAs({ status, resolution }), own).to.include({ state, status: own });
  });

  it('states whether the payment of an archived one went back', async () => {
    const archived = { status: 'archived', resolution: null };
    expect(await readAs(archived)).to.include({ state: 'closed', isReversed: false });
    const reversed = { ...archived, transaction: transaction({ status: 'reversed' }) };
    expect(await readAs(reversed)).to.include({ state: 'closed', isReversed: true });
  });

  it('reads an amount as text, and one that is not stated', async () => {
    expect(await readAs({ refund_amount: '5800' })).to.include({ amountKobo: 5_800 });
    expect(await readAs({ refund_amount: null })).to.include({ amountKobo: null });
  });

  it('fails where a dispute is not clear', async () => {
    const odd = [{ id: null }, { transaction: null }, { transaction: {} }, { refund_amount: 'x' }];
    for (const fields of odd)
      expect(await errorOf(readAs(fields)), JSON.stringify(fields)).to.include({
        ...{ kind: 'unknown', stage: 'list disputes' },
      });
  });
});
