import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { publishEvent } from '../../../domain/webhooks/event/publish.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { useStack } from '../../support/stack.ts';
import { useWebhookFixture } from './fixture.ts';

describe('Resending missed events', () => {
  const stack = useStack();
  const fixture = useWebhookFixture(stack);
  const { merchant, server } = fixture;

  it('sends the events missed while the endpoint was disabled, oldest first, each once, and clears missed_since', async () => {
    const [before] = await fixture.publishEvents();
    const disabled = await fixture.setStatus('disabled');
    expect(disabled.json.missed_since).to.be.a('string');
    const missed = await fixture.publishEvents(5);
    const { missed_since: since } = (await fixture.setStatus('enabled')).json;
    const [after] = await fixture.publishEvents();
    expect(fixture.arrived()).to.deep.equal([before, after]);

    const { status, json } = await fixture.resend(since);
    expect(status).to.equal(202);
    expect(json).to.deep.equal({
      ...{ object: 'resend', endpoint_id: fixture.id, since, scheduled: 5, next_since: null },
      pending_deliveries: 5,
    });
    expect((await fixture.endpoint()).missed_since).to.equal(null);
    await fixture.deliverAll();
    expect(fixture.arrived().sort()).to.deep.equal([before, ...missed, after].sort());
    expect((await fixture.endpoint()).pending_deliveries).to.equal(0);
    expect((await auditOf(stack, fixture.id)).at(-1)).to.include({
      action: 'webhook_endpoint.resent',
      actor: merchant.memberId,
    });
  });

  it('sends only events since a later time and keeps missed_since; nothing from a future time', async () => {
    await fixture.setStatus('disabled');
    await fixture.publishEvents();
    stack.clock.advance(MINUTE);
    const later = stack.clock().toISOString();
    await fixture.publishEvents();
    await fixture.setStatus('enabled');
    const { missed_since: since } = await fixture.endpoint();
    const future = new Date(stack.clock().getTime() + DAY).toISOString();
    for (const [from, scheduled, left] of [
      [future, 0, since],
      ['9999-12-31T23:59:59Z', 0, since],
      [later, 1, since],
      [since, 1, null],
    ]) {
      const { json } = await fixture.resend(from);
      expect(json, from).to.include({ scheduled, next_since: null });
      expect((await fixture.endpoint()).missed_since, from).to.equal(left);
    }
  });

  it('starts with the oldest missed event, also where its delivery is the newest', async () => {
    const old = await addDelivery(merchant.of, { endpointId: fixture.id, status: 'exhausted' });
    stack.clock.advance(5 * MINUTE);
    const young = await publish(merchant.of);
    const again = (await merchant.post(`/deliveries/${old}/resend`)).json;
    await stack.settle();
    await stack.sql`update deliveries set status = 'pending', due_at = 'infinity'
      where event_id = ${young} or id = ${again.id}`;
    stack.clock.advance(5 * MINUTE);
    await expectMissedSince(again.event_id);
  });

  it('includes the delivery that exhausted at the first failure, and none exhausted before', async () => {
    const given: { id: string; ms: number }[] = [];
    for (const ms of [10 * MINUTE, 5])
      given.push({ id: await addDelivery(merchant.of, { endpointId: fixture.id }), ms });
    stack.clock.advance(20 * MINUTE);
    const failingSince = stack.clock();
    for (const { id, ms } of given) {
      await stack.sql`update deliveries
        set finished_at = ${new Date(failingSince.getTime() - ms)} where id = ${id}`;
    }
    await stack.sql`update webhook_endpoints set failing_since = ${failingSince}
      where id = ${fixture.id}`;
    const { event_id } = (await merchant.get(`/deliveries/${given[1]!.id}`)).json;
    await expectMissedSince(event_id);
  });

  it('includes an event whose transaction was open while the endpoint was disabled', async () => {
    await stack.context.inTx(async (tx) => {
      const charge = {
        type: 'charge.succeeded',
        subjectId: newId('txn', tx.now),
        data: {},
      } as const;
      const { tenant_id: tenantId } = merchant.tenant;
      const jobs = await publishEvent(tx, { tenantId, mode: 'test', ...charge });
      await fixture.setStatus('disabled');
      return jobs;
    });
    await stack.settle();
    const [{ status }] = (await fixture.deliveries()) as [any];
    expect(status).to.equal('cancelled');
    const { missed_since } = (await fixture.setStatus('enabled')).json;
    expect((await fixture.resend(missed_since)).json.scheduled).to.equal(1);
    await fixture.deliverAll();
    expect(server.arrivals).to.have.length(1);
  });

  it('starts where deliveries are still on record, and then counts as complete', async () => {
    await fixture.setStatus('disabled');
    await stack.sql`update webhook_endpoints
      set created_at = now() - interval '90 days', missed_since = now() - interval '80 days'
      where id = ${fixture.id}`;
    await fixture.setStatus('enabled');
    const { missed_since: since } = await fixture.endpoint();
    expect(stack.clock().getTime() - Date.parse(since)).to.be.within(59 * DAY, 60 * DAY);
    stack.clock.advance(10 * MINUTE);
    expect((await fixture.resend(since)).status).to.equal(202);
    expect((await fixture.endpoint()).missed_since).to.equal(null);
  });

  async function expectMissedSince(eventId: string): Promise<void> {
    const [event] = await stack.sql`select created_at from events where id = ${eventId}`;
    const { missed_since: since } = (await fixture.setStatus('disabled')).json;
    expect(since).to.equal(event.created_at.toISOString());
  }
});
