import { expect } from 'chai';
import type { ProviderDispute } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import { account, api, bad, days, good, listed, options, payment, reference } from './examples.ts';

const since = new Date('2026-03-02T10:00:00Z');
const listCall = (page = 1) =>
  api()
    .get('/chargebacks')
    .query({ ...days, page: String(page) });

function chargeback(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 1390,
      amount: 5000.5,
      flw_ref: 'URF_1600800139900_3999635',
      status: 'initiated',
      stage: 'new',
      comment: 'Not received',
    },
    ...{
      meta: { uploaded_proof: null, history: [] },
      due_date: '2026-03-05T15:59:59.000Z',
      settlement_id: 'N/A',
    },
    ...{ created_at: '2026-03-03T19:01:28.000Z', transaction_id: 288200108, tx_ref: reference },
    ...overrides,
  };
}

async function readAs(overrides: Record<string, unknown>) {
  listCall().reply(200, listed([chargeback(overrides)]));
  return (await account.listDisputes({ payment }, options))[0]!;
}
const idsSince = async () =>
  (await account.listDisputes({ since }, options)).map(
    ({ providerDisputeId: id, providerPaymentId }) => [id, providerPaymentId],
  );

describe('Flutterwave, asked for disputes', () => {
  useNock();

  it('states those of a payment, and no other’s', async () => {
    listCall().reply(200, listed([chargeback(), chargeback({ id: 1, transaction_id: 7 })]));
    const [{ raw, ...dispute }, ...others] = (await account.listDisputes({ payment }, options)) as [
      ProviderDispute,
    ];
    expect(dispute).to.deep.equal({
      ...{
        providerDisputeId: '1390',
        providerPaymentId: '288200108',
        state: 'open',
        status: 'initiated',
        amountKobo: 500_050,
      },
    });
    expect(JSON.parse(raw).id).to.equal(1390);
    expect(others).to.deep.equal([]);
  });

  const states: [status: unknown, state: string][] = [
    ['initiated', 'open'],
    ['declined', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['accepted', 'lost'],
    [' Lost', 'lost'],
    ['pending', 'unknown'],
    ['toString', 'unknown'],
    [7, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}`, async () => {
      expect(await readAs({ status })).to.include({
        state,
        status: typeof status === 'string' ? status.trim().toLowerCase() : '',
      });
    });
  }

  it('reads ids and amounts that are text, and an amount that is not stated', async () => {
    expect(await readAs({ id: '1390', transaction_id: '288200108', amount: '58' })).to.include({
      amountKobo: 5_800,
      providerDisputeId: '1390',
    });
    for (const amount of [null, undefined, 'much'])
      expect(await readAs({ amount })).to.include({ amountKobo: null });
  });

  it('states all that began since a moment, page by page', async () => {
    listCall().reply(200, listed([chargeback({ id: 2, transaction_id: 7 })], 2));
    listCall(2).reply(200, listed([chargeback({ id: 1, transaction_id: 8 })], 2));
    expect(await idsSince()).to.deep.equal([
      ['2', '7'],
      ['1', '8'],
    ]);
  });

  it('leaves out what is surely older, and nothing that may not be', async () => {
    const at = (id: number, created_at: unknown) => chargeback({ id, created_at });
    listCall().reply(
      200,
      listed([
        at(1, '2026-03-01T21:59:59Z'),
        at(2, '2026-03-01T22:00:00Z'),
        at(3, null),
        at(4, 'yesterday'),
      ]),
    );
    expect((await idsSince()).map(([id]) => id)).to.deep.equal(['2', '3', '4']);
  });

  it('has none where there are none', async () => {
    listCall().reply(200, listed([], 0));
    expect(await idsSince()).to.deep.equal([]);
    listCall().reply(404, bad('No chargebacks found'));
    expect(await idsSince()).to.deep.equal([]);
  });

  it('never gives a list with a hole: too long, or with a row that cannot be read', async () => {
    for (let page = 1; page <= 50; page++)
      listCall(page).reply(200, listed([chargeback({ id: page })], 51));
    expect(await errorOf(idsSince())).to.include({ kind: 'unknown', stage: 'list disputes' });
    for (const odd of [{ id: null }, { transaction_id: null }, { transaction_id: {} }]) {
      listCall().reply(200, good([chargeback(odd)]));
      expect((await errorOf(idsSince())).kind, JSON.stringify(odd)).to.equal('unknown');
    }
  });

  it('is refused with a key that is not accepted, and never called empty', async () => {
    listCall().reply(401, bad('Authorization required'));
    expect(await errorOf(idsSince())).to.include({ kind: 'refused', stage: 'list disputes' });
  });
});
