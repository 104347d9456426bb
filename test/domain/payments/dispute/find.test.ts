import { expect } from 'chai';
import { markAsked, openDisputes } from '../../../../domain/payments/dispute/find.ts';
import { MINUTE } from '../../../support/clock.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { openRefundFixture } from '../refund-fixture.ts';

describe('Disputes of a connection', () => {
  const ledger = useLedgerForEach();

  const disputedCapture = async (): Promise<string> => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    await fixture.dispute('open');
    return (await ledger.captures(fixture.chargeId))[0].id;
  };
  const now = () => ({ sql: ledger.db, now: ledger.clock() });
  const toAsk = async (since: Date, limit = 10) => {
    const query = { connectionId: ledger.connections[0]!, listed: [], since, limit };
    return (await openDisputes(now(), query)).map(({ captureId }) => captureId);
  };

  it('are asked about where none did since, never asked ones first, then the longest ago', async () => {
    const captures: string[] = [];
    while (captures.length < 3) captures.push(await disputedCapture());
    const [last, first, never] = captures;
    const asking = now();
    await markAsked(asking, first!);
    const askingLater = { ...asking, now: new Date(asking.now.getTime() + MINUTE) };
    await markAsked(askingLater, last!);
    expect(await toAsk(askingLater.now)).to.deep.equal([never, first]);
    const after = new Date(askingLater.now.getTime() + 1);
    expect(await toAsk(after)).to.deep.equal([never, first, last]);
    expect(await toAsk(after, 2)).to.deep.equal([never, first]);
    expect(await toAsk(asking.now)).to.deep.equal([never]);
  });
});
