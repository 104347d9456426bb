import { expect } from 'chai';
import { addConnection, draftConnection } from '../../domain/accounts/connection/connections.ts';
import { createPaymentLink } from '../../domain/payments/payment-link/create.ts';
import { findLink, findVisitedLink } from '../../domain/payments/payment-link/find.ts';
import { findRefundedCapture } from '../../domain/payments/refund/find-capture.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { useLedgerForEach } from './ledger.ts';
import { recordNotice, refused, send } from './notices.ts';
import { openRefundFixture } from './payments/refund-fixture.ts';

describe('A business with data in both modes', () => {
  const ledger = useLedgerForEach();
  let tenantId: string;
  beforeEach(async () => {
    [{ id: tenantId }] = (await ledger.rows('select id from tenants')) as [{ id: string }];
  });

  const addLiveConnection = (slot: Slot) =>
    ledger.tx(async (tx) => {
      const credentials = { secret_key: `sk_live_${slot}` };
      const account = { slot, adapter: 'paystack', credentials };
      addConnection(tx, draftConnection(tx, { tenantId, mode: 'live' }, account), 1);
    });
  const disableTestConnections = () =>
    ledger.rows(`update connections set disabled_at = now() where mode = 'test'`);

  it('tries a test charge that its test account refused at no live account', async () => {
    await addLiveConnection('provider_b');
    const { id, attemptId } = await ledger.newCharge();
    await send(ledger, attemptId);
    await recordNotice(ledger, attemptId, refused);
    expect((await ledger.attempts(id)).map(({ slot, status }) => [slot, status])).to.deep.equal([
      ['provider_a', 'refused'],
    ]);
    expect(await ledger.charge(id)).to.include({ status: 'failed' });
  });

  it('sends no refund of a test payment while the live account alone has its slot', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    await addLiveConnection('provider_a');
    await disableTestConnections();
    const refundId = await fixture.requestRefund();
    const [refund] = await fixture.refunds();
    expect(await findRefundedCapture({ sql: ledger.db }, refund!)).to.include({
      is_disabled: true,
    });
    await fixture.runJob(refundId);
    expect(fixture.sent).to.deep.equal([]);
  });

  it('tells test endpoints of test charges and refunds, and no live endpoint', async () => {
    const eventTypes = ['charge.succeeded', 'refund.completed'] as const;
    await ledger.tx(async (tx) => {
      const url = 'https://merchant.example/live';
      addEndpoint(tx, { tenantId, mode: 'live' }, { url, eventTypes });
    });
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    await fixture.runJob(await fixture.requestRefund());
    const told = await ledger.rows(
      `select v.type, e.mode from deliveries d join events v on v.id = d.event_id
       join webhook_endpoints e on e.id = d.endpoint_id order by v.id`,
    );
    expect(told).to.deep.equal(eventTypes.map((type) => ({ type, mode: 'test' })));
  });

  describe('and a payment link in each', () => {
    const newLink = async (mode: Mode): Promise<string> => {
      let id = '';
      await ledger.tx(async (tx) => {
        const actor = { tenantId, mode, subjectId: 'key_x', memberId: null };
        const link = await createPaymentLink(tx, actor, {
          ...{ amountKobo: 500_000, description: 'Rice', provider: 'auto', expiresInDays: 1 },
          ...{ customerName: null, customerEmail: null, customerPhone: null },
        });
        id = link!.id;
      });
      return id;
    };

    it('finds each with a key of its own mode', async () => {
      await addLiveConnection('provider_a');
      const ids = { live: await newLink('live'), test: await newLink('test') };
      for (const [mode, other] of [
        ['live', 'test'],
        ['test', 'live'],
      ] as const) {
        expect(await findLink(ledger.db, { tenantId, mode }, ids[mode])).to.include({ mode });
        expect(await findLink(ledger.db, { tenantId, mode }, ids[other])).to.equal(undefined);
      }
    });

    it('shows the test link as one that nobody can pay when the live account is left alone', async () => {
      await addLiveConnection('provider_a');
      const [test, live] = [await newLink('test'), await newLink('live')];
      await disableTestConnections();
      expect(await findVisitedLink(ledger.db, test)).to.include({ is_connected: false });
      expect(await findVisitedLink(ledger.db, live)).to.include({ is_connected: true });
    });
  });
});
