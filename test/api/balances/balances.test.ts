import { expect } from 'chai';
import { paidCharge } from '../../support/charges.ts';
import { MINUTE } from '../../support/clock.ts';
import { expectRefused } from '../../support/contract.ts';
import { addPostings } from '../../support/postings.ts';
import { useStack } from '../../support/stack.ts';

type Json = Record<string, any>;

describe('Balances', () => {
  const stack = useStack({ books: false, newTenants: true });

  const balances = async (query = ''): Promise<Json[]> =>
    (await stack.api.get(`/balances${query}`)).json.data;
  const entries = async (query = ''): Promise<Json[]> =>
    (await stack.api.get(`/balance-transactions${query}`)).json.data;

  it('have every field, and say where all the money is', async () => {
    await paidCharge(stack, { amount_kobo: 1_000_000 });
    await addPostings(stack);
    const { json } = await stack.api.get('/balances');
    const where = {
      ...{ pending_kobo: 800_000, paid_out_kobo: 100_000, in_dispute_kobo: 50_000 },
      ...{ fees_kobo: 25_000, refunded_kobo: 20_000, disputed_kobo: 0 },
      ...{ differences_kobo: 5_000, written_off_kobo: 0 },
    };
    const whence = { collected_kobo: 1_000_000, owed_to_payers_kobo: 0, other_business_kobo: 0 };
    const about = { object: 'balance', provider: 'provider_a', currency: 'NGN', mode: 'test' };
    expect(json).to.deep.equal({
      data: [{ ...about, ...where, ...whence }],
      tenant_id: stack.tenant.tenant_id,
    });
    expect(sum(where)).to.equal(sum(whence));
  });

  it('of a moment are what was recorded before it, whatever comes later', async () => {
    await paidCharge(stack);
    const [{ created_at: recordedAt }] = (await entries()) as [Json];
    stack.clock.advance(MINUTE);
    const at = (moment: string) => `?at=${encodeURIComponent(moment)}`;
    const then = at(stack.clock().toISOString());
    expect(await balances(at(recordedAt))).to.deep.equal([]);
    const [before] = await balances(then);
    await addPostings(stack);
    expect(await balances(then)).to.deep.equal([before]);
    const [now] = await balances();
    expect(now!.pending_kobo).to.equal(before!.pending_kobo - 175_000);
    expect(await balances(at('2999-01-01T00:00:00+01:00'))).to.deep.equal([now]);
    expectRefused(await stack.api.get('/balances?at=yesterday'), 'validation_failed', ['at']);
  });

  it('are what balance transactions add up to, each with its source', async () => {
    const { transaction } = await paidCharge(stack, { amount_kobo: 1_000_000 });
    await addPostings(stack);
    const found = await entries();
    const [{ pending_kobo: pending }] = (await balances()) as [Json];
    expect(found.reduce((kobo, entry) => kobo + entry.amount_kobo, 0)).to.equal(pending);
    const source = transaction!.id;
    const ofPayment = await entries(`?source=${source}`);
    const about = {
      ...{ object: 'balance_transaction', currency: 'NGN', provider: 'provider_a', source },
      ...{ occurred_at: transaction!.occurred_at, mode: 'test' },
    };
    expect(ofPayment.map(({ id: _, created_at: __, ...rest }) => rest)).to.have.deep.members([
      { ...about, type: 'capture', amount_kobo: 1_000_000 },
      { ...about, type: 'fee', amount_kobo: -25_000 },
    ]);
    for (const type of ['refund', 'dispute', 'payout', 'difference']) {
      const [{ source }] = (await entries(`?type=${type}`)) as [Json];
      const ofSource = found.filter((entry) => entry.source === source);
      expect(await entries(`?source=${source}`), type).to.deep.equal(ofSource);
    }
  });

  it('and transactions of days are those recorded on them, in the zone of the business', async () => {
    stack.clock.stopAt(new Date('2027-03-20T22:59:00Z'));
    await addPostings(stack);
    stack.clock.stopAt(new Date('2027-03-20T23:00:00Z'));
    await addPostings(stack);
    const all = await entries();
    expect(await entries('?from=2027-03-21')).to.deep.equal(all.slice(0, 4));
    expect(await entries('?to=2027-03-20')).to.deep.equal(all.slice(4));
    expectRefused(await stack.api.get('/balance-transactions?source=cap_1'), 'validation_failed', [
      'source',
    ]);
  });
});

const sum = (amounts: Record<string, number>) =>
  Object.values(amounts).reduce((total, kobo) => total + kobo, 0);
