import { expect } from 'chai';
import { findReported, markAsked, openDisputes } from '../../../../domain/payments/dispute/find.ts';
import { MINUTE } from '../../../support/clock.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { openRefundFixture } from '../refund-fixture.ts';

describe('Disputes of a connection', () => {
  const ledger = useLedgerForEach();
  let connectionId: string;
  beforeEach(async () => {
    connectionId = ledger.connections[0]!;
  });

  const paidCapture = async ({ isDisputed = true } = {}): Promise<string> => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    if (isDisputed) await fixture.dispute('open');
    const [{ id }] = await ledger.rows(
      'select id from captures where charge_id = $1',
      fixture.chargeId,
    );
    return id;
  };
  const now = () => ({ sql: ledger.db, now: ledger.clock() });
  const toAsk = async (since: Date, limit = 10) => {
    const query = { connectionId, listed: [], since, limit };
    return (await openDisputes(now(), query)).map(({ captureId }) => captureId);
  };

  it('are asked about where none did since, never asked ones first, then the longest ago', async () => {
    const [last, first, never] = [await paidCapture(), await paidCapture(), await paidCapture()];
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

  it('are found by the provider’s id, or else the last one that was entered by hand', async () => {
    const captureId = await paidCapture({ isDisputed: false });
    const insert = (id: string, providerDisputeId: string | null) =>
      ledger.rows(
        `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id,
           provider_dispute_id, amount_kobo, status, entered_by, opened_at)
         select $1, c.tenant_id, c.mode, c.id, k.id, k.connection_id, $2, 100000, 'open', 'operator', $3
         from captures k join charges c on c.id = k.charge_id where k.id = $4`,
        ...[id, providerDisputeId, ledger.clock(), captureId],
      );
    await insert('dsp_1', 'known');
    await insert('dsp_2', null);
    await insert('dsp_3', null);
    const find = async (providerDisputeId: string) => {
      const reported = { providerDisputeId, state: 'open' } as const;
      return (await findReported(ledger.db, { connectionId, captureId }, reported))?.id;
    };
    expect(await find('known')).to.equal('dsp_1');
    expect(await find('new')).to.equal('dsp_3');
  });
});
