import { expect } from 'chai';
import {
  type CopyUpdate,
  renewGeneration,
  updateCopy,
} from '../../../../domain/payments/refund-listing/update-copy.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { DAY, MINUTE } from '../../../support/clock.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { type Listing, openMemoryAccount, unanswered } from './memory-account.ts';

describe('The copy of an account’s refunds', () => {
  const ledger = useLedgerForEach();
  const account = forEachTest(async () => openMemoryAccount(ledger));

  const contextOf = (mostPages = Number.POSITIVE_INFINITY) => ({
    ...{ inTx: ledger.inTx, clock: ledger.clock, provider: account.provider },
    ...{ connectionId: ledger.connections[0]!, timeoutMs: () => 1_000 },
    mayRead: (pagesRead: number) => pagesRead < mostPages,
  });
  const update = (mostPages?: number, since = ledger.clock()): Promise<CopyUpdate> =>
    updateCopy(contextOf(mostPages), since);
  const copied = async () =>
    (await ledger.rows<{ id: string }>('select provider_refund_id as id from listed_refunds')).map(
      ({ id }) => id,
    );
  const ids = () => account.refunds.map(({ id }) => id);
  const pagesOfUpdate = async () => {
    account.calls.length = 0;
    expect((await update()).result).to.equal('current');
    return account.calls.length;
  };

  it('is read once in full, and then with one call for what is new', async () => {
    account.add(90);
    expect(await pagesOfUpdate()).to.equal(5);
    expect(await copied()).to.have.members(ids());
    expect(await pagesOfUpdate()).to.equal(1);
    account.add(7);
    expect(await pagesOfUpdate()).to.equal(1);
    expect(await copied()).to.have.members(ids());
  });

  it('costs the pages since the last update, however many refunds came, and then one again', async () => {
    account.add(30);
    await update();
    account.add(2_001);
    expect(await pagesOfUpdate()).to.equal(101);
    expect(await pagesOfUpdate()).to.equal(1);
    expect(await copied()).to.have.length(2_031);
  });

  it('continues where an update was cut short, though more refunds come', async () => {
    account.add(30);
    await update();
    account.add(500);
    const results: CopyUpdate['result'][] = [];
    for (let tries = 0; tries < 5 && results.at(-1) !== 'current'; tries++) {
      results.push((await update(10)).result);
      account.add(3);
    }
    expect(results).to.deep.equal(['behind', 'behind', 'current']);
    expect(account.calls.length).to.be.below(35);
  });

  it('continues a first reading where it was cut short', async () => {
    account.add(500);
    for (const result of ['behind', 'behind', 'current'])
      expect((await update(10)).result).to.equal(result);
    expect(account.calls).to.have.length(25);
    expect(await copied()).to.have.members(ids());
  });

  it('passes on what the provider answers instead of a page, and continues after it', async () => {
    account.add(50);
    account.beforePage = (page) => (page === 2 ? unanswered() : undefined);
    const { result } = await update();
    expect(result).to.be.instanceOf(ProviderError).and.to.include({ kind: 'unknown' });
    account.beforePage = () => {};
    expect(await pagesOfUpdate()).to.equal(2);
  });

  it('is not taken for whole where the provider repeats a page', async () => {
    account.add(50);
    const { listAccountRefunds } = account.provider;
    account.provider.listAccountRefunds = (query, options) =>
      listAccountRefunds!({ ...query, page: 1 }, options);
    expect((await update()).result).to.include({
      message: 'page 2 holds nothing new, and more are stated',
    });
  });

  it('goes back to the oldest payment that is refunded', async () => {
    const long = new Date(ledger.clock().getTime() - 100 * DAY);
    account.add(3, { createdAt: long });
    await update();
    expect(await copied()).to.have.length(0);
    await update(undefined, long);
    expect(await copied()).to.have.members(ids());
    expect(await pagesOfUpdate()).to.equal(1);
  });

  it('is read anew where refunds are no longer listed', async () => {
    account.add(50);
    await update();
    account.refunds.splice(10, 5);
    expect((await update()).result).to.equal('current');
    account.add(2, { id: 'x' });
    account.refunds.at(-1)!.id = 'y';
    expect(await pagesOfUpdate()).to.equal(1);
    expect(await copied()).to.include.members(ids());
  });

  it('lists a shorter time after a week, and forgets nothing', async () => {
    account.add(200);
    await update();
    expect(await renewGeneration(contextOf())).to.equal(false);
    ledger.clock.advance(8 * DAY);
    account.add(5);
    await update();
    expect(await renewGeneration(contextOf())).to.equal(true);
    account.add(5);
    expect(await pagesOfUpdate()).to.equal(1);
    expect(await copied()).to.have.members(ids());
  });

  it('is kept by several workers at once', async () => {
    account.add(130);
    await update();
    for (let round = 0; round < 3; round++) {
      account.add(45);
      const known = ids();
      account.beforePage = () => account.add(1);
      const results = await Promise.all(Array.from({ length: 4 }, () => update()));
      account.beforePage = () => {};
      for (const { result } of results) expect(result).to.be.oneOf(['current', 'behind']);
      expect(await copied()).to.include.members(known);
    }
    const [{ known_count: count }] = await ledger.rows('select known_count from refund_listings');
    await update();
    expect(await copied()).to.have.members(ids());
    expect(count).to.be.greaterThan(0);
  });

  const listings: Listing[] = (['newest first', 'oldest first', 'by digits'] as const).flatMap(
    (order) => (['all', 'pages', 'page', 'nothing'] as const).map((states) => ({ order, states })),
  );
  for (const listing of listings) {
    it(`misses none of a list ${listing.order} that states ${listing.states}, while more come`, async () => {
      account.listing = listing;
      const counts = [0, 1, 19, 20, 21, 0, 45, 3, 0, 60];
      for (const [round, count] of counts.entries()) {
        ledger.clock.advance((round % 3) * 20 * MINUTE);
        account.add(count);
        const existing = ids();
        let arriving = round % 4;
        account.beforePage = () => void (arriving-- > 0 && account.add(1));
        let result: CopyUpdate['result'] = 'behind';
        for (let tries = 0; tries < 9 && result === 'behind'; tries++)
          ({ result } = await update(round % 2 === 0 ? 4 : undefined));
        expect(result, `round ${round}`).to.equal('current');
        expect(await copied(), `round ${round}`).to.include.members(existing);
      }
    });
  }
});
