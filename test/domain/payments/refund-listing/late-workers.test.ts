import { expect } from 'chai';
import type { Listing } from '../../../../domain/payments/refund-listing/next-step.ts';
import {
  beginGeneration,
  countWalk,
  markWhole,
  openListing,
  recordPage,
} from '../../../../domain/payments/refund-listing/store.ts';
import { MINUTE } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { useLedgerForEach } from '../../ledger.ts';

describe('A copy of refunds that two workers read', () => {
  const ledger = useLedgerForEach();
  let stale: Listing;
  beforeEach(async () => {
    stale = await open();
  });

  const open = () => ledger.inTx((tx) => openListing(tx, ledger.connections[0]!, tx.now));
  const listed = (id: string) => ({
    ...{ providerRefundId: id, providerPaymentId: `of ${id}`, refundId: null },
    createdAt: ledger.clock(),
  });
  const readPage = (listing: Listing, page = 1, refundId: string | null = null) =>
    ledger.inTx((tx) => recordPage(tx, listing, page, [{ ...listed(`${page}`), refundId }]));
  const walkAgain = (listing: Listing) => ledger.inTx((tx) => countWalk(tx, listing));
  const begin = (listing: Listing) => ledger.inTx((tx) => beginGeneration(tx, listing, tx.now));
  const end = (listing: Listing, wholeAt = ledger.clock()) =>
    ledger.inTx((tx) => markWhole(tx, listing, { wholeAt, trustsTotal: true }));

  const late: Record<string, (listing: Listing) => Promise<unknown>> = {
    'begins a generation': begin,
    'records a page': readPage,
    'walks through the pages again': walkAgain,
    'ends its walk': end,
  };
  for (const [title, write] of Object.entries(late))
    it(`stays as it is where one began a generation, and the other late ${title}`, async () => {
      await begin(stale);
      const before = await open();
      await write(stale);
      expect(await open()).to.deep.equal(before);
    });

  it('counts a page once that both read, and goes on where the first is by then', async () => {
    expect(await readPage(stale)).to.include({ added: 1, known_count: 1, next_page: 2 });
    await readPage(stale, 2);
    expect(await readPage(stale)).to.include({ added: 0, known_count: 2, next_page: 3 });
  });

  it('keeps our id of a refund that a later generation lists without it', async () => {
    await readPage(stale, 1, 'ref_1');
    await readPage(await begin(stale));
    const [row] = await ledger.rows('select refund_id from listed_refunds');
    expect(row).to.deep.equal({ refund_id: 'ref_1' });
  });

  it('counts a walk once that both begin', async () => {
    await walkAgain(stale);
    await walkAgain(stale);
    expect((await open()).walks).to.equal(stale.walks + 1);
  });

  it('is as current as the later of two walks, whichever ends last', async () => {
    const [earlier, later] = [ledger.clock(), new Date(ledger.clock().getTime() + MINUTE)];
    await end(stale, later);
    await end(stale, earlier);
    expect((await open()).whole_at).to.deep.equal(later);
  });

  it('is begun once by two workers at one moment', async () => {
    await ledger.rows('delete from refund_listings');
    const [listing] = await whileHeld(
      { context: ledger },
      (sql) => openListing({ sql, now: stale.begun_at }, stale.connection_id, stale.begun_at),
      () => [open()],
    );
    expect(listing!.begun_at).to.deep.equal(stale.begun_at);
  });
});
