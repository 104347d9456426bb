import { expect } from 'chai';
import { expectErrors, expectStates, type Reply } from '../calls.ts';
import { accountAt, bad, listed, options } from './examples.ts';

const span = { from: new Date('2026-03-04T00:00:00Z'), to: new Date('2026-03-05T12:00:00Z') };

function settlement(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 41748, account_id: 73362, settlement_account: '0031318432', bank_code: '063' },
    ...{ transaction_date: '2026-03-03T04:00:00.000Z', due_date: '2026-03-04T04:00:00.000Z' },
    ...{ processed_date: null, status: 'completed', is_local: true, currency: 'NGN' },
    ...{ gross_amount: 122000, app_fee: 2108, merchant_fee: 0, chargeback: 0, refund: 0 },
    ...{ stampduty_charge: 0, net_amount: 119892, transaction_count: 8, destination: 'account' },
    ...{ meta: [908260, 908790], refund_meta: null, flag_message: null, ...overrides },
  };
}

const listWith = (reply: Reply, cursor: string | null = null) =>
  accountAt(reply).account.listSettlements({ ...span, cursor }, options);
const readAs = async (overrides: Record<string, unknown>) =>
  (await listWith([200, listed([settlement(overrides)])])).rows[0]!;
const idsOf = async (reply: Reply) =>
  (await listWith(reply)).rows.map(({ providerSettlementId }) => providerSettlementId);

describe('Listing the settlements of Flutterwave', () => {
  it('asks for four days before the period to one day after, page by page', async () => {
    const { account, requests } = accountAt([200, listed([settlement({ id: 3 })], 2)]);
    expect((await account.listSettlements({ ...span, cursor: null }, options)).next).to.equal(
      '2:3',
    );
    expect(requests).to.deep.equal(['GET /settlements?from=2026-02-28&to=2026-03-06&page=1']);
    expect((await listWith([200, listed([settlement()], 2)], '2:3')).next).to.equal(null);
    const foreign = await listWith([200, listed([settlement({ currency: 'USD' })], 2)]);
    expect(foreign).to.deep.equal({ rows: [], next: '2:41748' });
    const uncounted = { ...listed([settlement({ id: 3 })]), meta: undefined };
    expect((await listWith([200, uncounted], '2:3')).next, 'nothing new').to.equal(null);
  });

  it('reads each with all its fields', async () => {
    expect(await readAs({})).to.deep.equal({
      ...{ providerSettlementId: '41748', state: 'landed', status: 'completed' },
      ...{ amountKobo: 11_989_200, deductionsKobo: 0, dueOn: '2026-03-04' },
      landedAt: new Date('2026-03-04T04:00:00Z'),
      bank: { name: null, accountLast4: '8432' },
    });
  });

  it('has one of our states for each documented status; only a landed one has a time', async () => {
    const states = {
      landed: ['completed', 'Completed '],
      pending: ['pending'],
      failed: ['failed'],
      unknown: ['flagged'],
    };
    await expectStates(states, async (status) => {
      const settlement = await readAs({ status });
      expect(settlement.landedAt !== null, `${status}`).to.equal(settlement.state === 'landed');
      return settlement;
    });
  });

  it('reads amounts to the kobo, and none that is not stated', async () => {
    type Row = [fields: Record<string, unknown>, amountKobo: unknown, deductionsKobo: unknown];
    const rows: Row[] = [
      [{ net_amount: 9886.05, refund: 20_114.35, chargeback: '0.15' }, 988_605, 2_011_450],
      [{ net_amount: 90_071_992_547.41 }, 9_007_199_254_741, 0],
      [{ net_amount: null, refund: null, chargeback: undefined }, null, null],
      [{ refund: null, chargeback: 7 }, 11_989_200, 700],
      [{ net_amount: -500.5, refund: 900 }, 0, 90_000],
    ];
    for (const [fields, amountKobo, deductionsKobo] of rows)
      expect(await readAs(fields), JSON.stringify(fields)).to.include({
        ...{ amountKobo, deductionsKobo },
      });
  });

  it('says why it cannot read what landed, and reads the other settlements', async () => {
    for (const fields of [{ net_amount: 'much' }, { refund: -5 }]) {
      const { rows } = await listWith([200, listed([settlement(fields), settlement({ id: 2 })])]);
      expect(rows[0], JSON.stringify(fields)).to.include({
        ...{ state: 'unclear', amountKobo: null, deductionsKobo: null },
        unclear: `${Object.keys(fields)[0]} is no amount: ${Object.values(fields)[0]}`,
      });
      expect(rows[1]).to.include({ providerSettlementId: '2', state: 'landed' });
    }
    const pending = await readAs({ status: 'pending', net_amount: 'much' });
    expect(pending).to.include({ state: 'pending', amountKobo: null });
  });

  it('landed when it was processed, or was due; its day is the day in Lagos', async () => {
    const times = {
      due_date: '2026-03-03T23:00:00.000Z',
      processed_date: '2026-03-04T09:30:00.000Z',
    };
    const landedAt = new Date('2026-03-04T09:30:00Z');
    expect(await readAs(times)).to.deep.include({ dueOn: '2026-03-04', landedAt });
    expect(await readAs({ due_date: null })).to.include({ dueOn: null, landedAt: null });
  });

  it('has a bank only where money goes to one', async () => {
    expect((await readAs({ destination: 'autowallet' })).bank).to.equal(null);
    const bank = { name: null, accountLast4: null };
    expect((await readAs({ settlement_account: null })).bank).to.deep.equal(bank);
  });

  it('keeps every digit of an id, and omits other currencies', async () => {
    const rows = [
      settlement({ id: '@' }),
      settlement({ id: 2, currency: 'USD' }),
      settlement({ id: 3, currency: null }),
    ];
    const text = JSON.stringify(listed(rows)).replace('"@"', '18446744073709551615');
    expect(await idsOf([200, text])).to.deep.equal(['18446744073709551615', '3']);
  });

  it('skips the ids of payments in a row, however many', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => 908_260_000_000 + index);
    const rows = [settlement({ meta: ids }), settlement({ id: 2, meta: JSON.stringify(ids) })];
    expect(await idsOf([200, listed(rows)])).to.deep.equal(['41748', '2']);
  });

  it('is empty only where Flutterwave says so and sends no rows', async () => {
    const none = [200, 400, 404].map((status): Reply => [status, bad('No settlements found')]);
    for (const reply of [[200, listed([], 0)] as Reply, ...none])
      expect(await listWith(reply), JSON.stringify(reply)).to.deep.equal({ rows: [], next: null });
    const misleading = {
      ...listed([settlement()]),
      message: '1 listed, no settlement found missing',
    };
    expect(await idsOf([200, misleading])).to.have.length(1);
  });

  it('is an error after any other answer', async () => {
    const odd = [{ id: null }, { id: 1.5 }];
    const replies: [reply: Reply, kind: string][] = [
      [[404, bad('Resource not found')], 'refused'],
      [[404, '<html>No settlements found</html>'], 'unknown'],
      [[200, { ...listed([settlement()]), status: 'error' }], 'unknown'],
      [[200, { ...listed([]), data: {} }], 'unknown'],
      [[200, listed([], 2)], 'unknown'],
      [[200, listed(Array(1_001).fill(settlement()))], 'unknown'],
      ...odd.map((fields): [Reply, string] => [[200, listed([settlement(fields)])], 'unknown']),
    ];
    await expectErrors('list settlements', replies, listWith);
  });
});
