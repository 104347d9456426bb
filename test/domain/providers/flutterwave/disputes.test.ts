import { expect } from 'chai';
import type { DisputeQuery } from '../../../../domain/providers/port/dispute.ts';
import { errorOf, expectStates } from '../calls.ts';
import { accountAt, listed, options, payment, reference } from './examples.ts';

const since = new Date('2026-03-02T10:00:00Z');

function chargeback(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 1390, amount: 5000.5, status: 'initiated', stage: 'new', comment: 'Not received' },
    ...{ transaction_id: 288200108, tx_ref: reference, flw_ref: 'URF_1600800139900_3999635' },
    ...{ created_at: '2026-03-03T19:01:28.000Z', due_date: '2026-03-05T15:59:59.000Z' },
    ...{ meta: { uploaded_proof: null, history: [] }, settlement_id: 'N/A' },
    ...overrides,
  };
}

const list = (query: DisputeQuery, ...rows: object[]) =>
  accountAt([200, listed(rows)]).account.listDisputes(query, options);
const readAs = async (overrides: Record<string, unknown>) =>
  (await list({ payment }, chargeback(overrides)))[0]!;

describe('Listing the chargebacks of Flutterwave', () => {
  it('returns those of a payment, and of no other payment', async () => {
    const rows = [chargeback(), chargeback({ id: 1, transaction_id: 7 })];
    const { account, requests } = accountAt([200, listed(rows)]);
    const disputes = await account.listDisputes({ payment }, options);
    expect(disputes).to.have.length(1);
    const { raw, ...dispute } = disputes[0]!;
    expect(dispute).to.deep.equal({
      ...{ providerDisputeId: '1390', providerPaymentId: '288200108', state: 'open' },
      ...{ status: 'initiated', amountKobo: 500_050 },
    });
    expect(JSON.parse(raw).id).to.equal(1390);
    expect(requests).to.deep.equal(['GET /chargebacks?from=2026-03-01&to=2026-03-05&page=1']);
  });

  it('returns all since a time, except those that are surely older', async () => {
    const at = (id: number, created_at: unknown) => chargeback({ id, created_at });
    const rows = [
      at(1, '2026-03-01T21:59:59Z'),
      at(2, '2026-03-01T22:00:00Z'),
      at(3, null),
      at(4, 'yesterday'),
    ];
    const ids = (await list({ since }, ...rows)).map((dispute) => dispute.providerDisputeId);
    expect(ids).to.deep.equal(['2', '3', '4']);
  });

  it('reads one of our states for each documented status, and unknown for any other', async () => {
    const states = {
      ...{ open: ['initiated', 'declined'], won: ['won'], lost: ['lost', 'accepted', ' Lost'] },
      unknown: ['pending'],
    };
    await expectStates(states, (status) => readAs({ status }));
  });

  it('reads ids and amounts as text, and an amount that is not stated', async () => {
    const texts = { id: '1390', transaction_id: '288200108', amount: '58' };
    expect(await readAs(texts)).to.include({ amountKobo: 5_800, providerDisputeId: '1390' });
    for (const amount of [null, undefined, 'much'])
      expect(await readAs({ amount })).to.include({ amountKobo: null });
  });

  it('fails where a chargeback names no payment', async () => {
    for (const transaction_id of [null, {}])
      expect(await errorOf(list({ since }, chargeback({ transaction_id })))).to.include({
        ...{ kind: 'unknown', stage: 'list disputes' },
      });
  });
});
