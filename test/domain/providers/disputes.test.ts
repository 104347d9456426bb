import { expect } from 'chai';
import type { Row } from '../../../domain/providers/adapter/read.ts';
import type { DisputeQuery, ProviderDispute } from '../../../domain/providers/port/dispute.ts';
import { expectStates, expectUnknown, type Reply } from './calls.ts';
import { options } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';

interface Disputes {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  listed(rows: object[], pages?: number): object;
  payment: typeof paystack.payment;
  dispute(fields?: Row): Row;
  /** Of another payment. */
  foreign: Row;
  whole: Omit<ProviderDispute, 'raw'>;
  /** What is asked for a payment, and for the second page of all since ten on 2 March. */
  asked: [ofPayment: string, since: string];
  amounts: [fields: Row, amountKobo: number | null][];
  unclear: Row[];
}

const since = new Date('2026-03-02T10:00:00Z');
const lists: Disputes[] = [
  {
    ...{ provider: 'Paystack', accountAt: paystack.accountAt, listed: paystack.listed },
    payment: paystack.payment,
    dispute: (fields = {}) => ({
      ...{ id: 358950, refund_amount: 500_000, currency: 'NGN', domain: 'test' },
      ...{ status: 'awaiting-merchant-feedback', resolution: null, category: 'chargeback' },
      messages: [{ body: 'Customer complained about debit without value' }],
      dueAt: '2026-03-04T13:46:57.000Z',
      ...{ transaction: paystack.transaction(), transaction_reference: null, resolvedAt: null },
      ...{ createdAt: '2026-03-03T13:46:57.000Z', updatedAt: '2026-03-03T18:00:02.000Z' },
      ...fields,
    }),
    foreign: { transaction: { id: 7 } },
    whole: {
      ...{ providerDisputeId: '358950', providerPaymentId: '4099260516', state: 'open' },
      ...{ status: 'awaiting-merchant-feedback', awaitsResponse: true, amountKobo: 500_000 },
      reason: 'Customer complained about debit without value',
      respondBy: new Date('2026-03-04T13:46:57.000Z'),
    },
    asked: [
      '/dispute?transaction=4099260516&perPage=100&page=1',
      '/dispute?from=2026-03-02T10%3A00%3A00.000Z&perPage=100&page=2',
    ],
    amounts: [
      [{ refund_amount: '5800' }, 5_800],
      [{ refund_amount: null }, null],
    ],
    unclear: [{ id: null }, { transaction: null }, { transaction: {} }, { refund_amount: 'x' }],
  },
  {
    ...{ provider: 'Flutterwave', accountAt: flutterwave.accountAt, listed: flutterwave.listed },
    payment: flutterwave.payment,
    dispute: (fields = {}) => ({
      ...{ id: 1390, amount: 5000.5, status: 'initiated', stage: 'new', comment: 'Not received' },
      ...{ transaction_id: 288200108, tx_ref: flutterwave.reference, flw_ref: 'URF_16008' },
      ...{ created_at: '2026-03-03T19:01:28.000Z', due_date: '2026-03-05T15:59:59.000Z' },
      ...{ meta: { uploaded_proof: null, history: [] }, settlement_id: 'N/A', ...fields },
    }),
    foreign: { transaction_id: 7 },
    whole: {
      ...{ providerDisputeId: '1390', providerPaymentId: '288200108', state: 'open' },
      ...{ status: 'initiated', awaitsResponse: true, amountKobo: 500_050 },
      ...{ reason: 'Not received', respondBy: new Date('2026-03-05T15:59:59.000Z') },
    },
    asked: [
      '/chargebacks?from=2026-03-01&to=2026-03-05&page=1',
      '/chargebacks?from=2026-03-01&to=2026-03-05&page=2',
    ],
    amounts: [
      [{ id: '1390', transaction_id: '288200108', amount: '58' }, 5_800],
      ...[null, undefined, 'much'].map((amount): [Row, null] => [{ amount }, null]),
    ],
    unclear: [null, {}].map((transaction_id) => ({ transaction_id })),
  },
];

for (const { provider, accountAt, listed, payment, dispute, ...wire } of lists) {
  const listOf = (query: DisputeQuery, ...fields: Row[]) =>
    accountAt([200, listed(fields.map(dispute))]).account.listDisputes(query, options);

  describe(`Listing the disputes of ${provider}`, () => {
    it('returns those of a payment, and of no other payment', async () => {
      const data = [dispute(), dispute({ id: 1, ...wire.foreign })];
      const { account, requests } = accountAt([200, listed(data)]);
      const [{ raw, ...first }, ...others] = (await account.listDisputes({ payment }, options)) as [
        ProviderDispute,
      ];
      expect([first, others]).to.deep.equal([wire.whole, []]);
      expect(JSON.parse(raw).id).to.equal(Number(first.providerDisputeId));
      expect(requests).to.deep.equal([`GET ${wire.asked[0]}`]);
    });

    it('returns all that began since a time, from every page', async () => {
      const pages = [2, 1].map((id): Reply => [200, listed([dispute({ id, ...wire.foreign })], 2)]);
      const { account, requests } = accountAt(...pages);
      const disputes = await account.listDisputes({ since }, options);
      expect(disputes.map((each) => each.providerDisputeId)).to.deep.equal(['2', '1']);
      expect(disputes[0]).to.include({ providerPaymentId: '7' });
      expect(requests[1]).to.equal(`GET ${wire.asked[1]}`);
    });

    it('reads ids and amounts as text, and an amount that is not stated', async () => {
      for (const [fields, amountKobo] of wire.amounts)
        expect((await listOf({ payment }, fields))[0]).to.include({
          ...{ providerDisputeId: wire.whole.providerDisputeId, amountKobo },
        });
    });

    it('has neither reason nor deadline where none is stated', async () => {
      const unstated = { messages: null, category: null, dueAt: null, comment: '', due_date: 'x' };
      expect((await listOf({ payment }, unstated))[0]).to.include({
        reason: null,
        respondBy: null,
      });
    });

    it('fails where a dispute is not clear', () =>
      expectUnknown('list disputes', wire.unclear, (fields) => listOf({ since }, fields)));
  });
}

describe('A dispute of Paystack', () => {
  const { payment, accountAt, listed, dispute } = lists[0]!;
  const readAs = async (fields: Row) =>
    (
      await accountAt([200, listed([dispute(fields)])]).account.listDisputes({ payment }, options)
    )[0];

  it('has its state from status and resolution together', async () => {
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
      expect(await readAs({ status, resolution }), own).to.include({
        ...{ state, status: own, awaitsResponse: status === 'awaiting-merchant-feedback' },
      });
  });

  it('that is archived states whether its payment went back', async () => {
    for (const [status, isReversed] of [
      ['success', false],
      ['reversed', true],
    ] as const) {
      const transaction = paystack.transaction({ status });
      expect(await readAs({ status: 'archived', resolution: null, transaction })).to.include({
        ...{ state: 'closed', isReversed },
      });
    }
  });
});

describe('A chargeback of Flutterwave', () => {
  const { accountAt, listed, dispute } = lists[1]!;
  const list = (...fields: Row[]) =>
    accountAt([200, listed(fields.map(dispute))]).account.listDisputes({ since }, options);

  it('has one of our states for each documented status, and is unknown with any other', async () => {
    const states = {
      ...{ open: ['initiated', 'declined'], won: ['won'], lost: ['lost', 'accepted', ' Lost'] },
      unknown: ['pending'],
    };
    await expectStates(states, async (status) => (await list({ status }))[0]);
  });

  it('awaits an answer until the merchant has declined it', async () => {
    const [declined] = await list({ status: 'declined' });
    expect(declined).to.include({ state: 'open', awaitsResponse: false });
  });

  it('is left out where it is surely older', async () => {
    const times = ['2026-03-01T21:59:59Z', '2026-03-01T22:00:00Z', null, 'yesterday'];
    const ids = await list(...times.map((created_at, n) => ({ id: n + 1, created_at })));
    expect(ids.map((each) => each.providerDisputeId)).to.deep.equal(['2', '3', '4']);
  });
});
