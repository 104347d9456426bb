import { expect } from 'chai';
import type { Job } from '../../../domain/jobs.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { resendMissed } from '../../../domain/webhooks/delivery/resend-missed.ts';
import { DAY, HOUR, SECOND } from '../../support/clock.ts';
import { expectRefusal } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { newMerchant } from '../../support/merchant-server.ts';
import { useStack } from '../../support/stack.ts';
import { answering, useWebhookFixture } from './fixture.ts';

describe('POST /webhook-endpoints/{id}/resend', () => {
  const stack = useStack();
  const fixture = useWebhookFixture(stack);
  const { merchant, server } = fixture;

  const addEvents = (type: string, events: Date[]) =>
    stack.sql`insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
      select id, ${merchant.tenant.tenant_id}, 'test', ${type}, id, '{}', at
      from unnest(${events.map((at) => newId('evt', at))}::text[], ${events}::timestamptz[]) as made (id, at)`;
  const scheduledOf = async (id: string) =>
    (await merchant.post(`/webhook-endpoints/${id}/resend`, { since: fixture.begin })).json
      .scheduled;

  it('spreads them over time, oldest first', async () => {
    await fixture.setStatus('disabled');
    const missed = await fixture.publishEvents(30);
    await fixture.setStatus('enabled');
    const { memberId, tenant } = merchant;
    const who = { tenantId: tenant.tenant_id, mode: 'test', subjectId: 'fam_x', memberId } as const;
    const now = stack.clock();
    const jobs: Job[] = [];
    await stack.context.inTx((tx) => {
      const collecting = { ...tx, now, enqueue: (...more: Job[]) => void jobs.push(...more) };
      return resendMissed(collecting, who, fixture.id, new Date(fixture.begin));
    });
    const made = await stack.sql`select id, event_id, due_at from deliveries
      where endpoint_id = ${fixture.id} order by due_at`;
    expect(made.map(({ event_id }) => event_id)).to.deep.equal(missed);
    const waits = made.map(({ due_at }) => due_at.getTime() - now.getTime());
    expect(waits).to.deep.equal(missed.map((_, place) => place * 10));
    expect(jobs.map(({ id, dueAt }) => ({ id, dueAt }))).to.deep.equal(
      made.map((row) => ({ id: row.id, dueAt: row.due_at })),
    );
    await fixture.deliverAll();
    expect(fixture.arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('sends exhausted and cancelled deliveries again, but no delivered or pending ones', async () => {
    const rows: Record<string, string> = {};
    for (const status of ['delivered', 'exhausted', 'cancelled', 'pending'] as const)
      rows[status] = await addDelivery(merchant.of, { endpointId: fixture.id, status });
    await stack.sql`update events set type = 'charge.succeeded'
      where tenant_id = ${merchant.tenant.tenant_id}`;
    expect((await fixture.resend(fixture.begin)).json.scheduled).to.equal(2);
    const made = (await fixture.deliveries()).filter((row: any) => row.resend_of !== null);
    expect(made.map((row: any) => row.resend_of).sort()).to.deep.equal(
      [rows.exhausted, rows.cancelled].sort(),
    );
    for (const [status, id] of Object.entries(rows))
      expect((await merchant.get(`/deliveries/${id}`)).json.status, 'as before').to.equal(status);
  });

  it('sends each event once when requested twice or eight times at once', async () => {
    await fixture.setStatus('disabled');
    const missed = await fixture.publishEvents(4);
    await fixture.setStatus('enabled');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fixture.resend(fixture.begin)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(202));
    const scheduled = answers.map(({ json }) => json.scheduled).sort();
    expect(scheduled).to.deep.equal([...Array(7).fill(0), 4]);
    await fixture.deliverAll();
    expect((await fixture.resend(fixture.begin)).json.scheduled).to.equal(0);
    await fixture.deliverAll();
    expect(fixture.arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('sends again what an earlier resend could not deliver', async () => {
    await fixture.setStatus('disabled');
    const [missed] = await fixture.publishEvents();
    await fixture.setStatus('enabled');
    server.answer = answering(500);
    await fixture.resend(fixture.begin);
    await stack.pass(SECOND);
    expect((await fixture.resend(fixture.begin)).json.scheduled, 'it is on its way').to.equal(0);
    await stack.sql`update deliveries
      set status = 'exhausted', due_at = null, finished_at = now()
      where endpoint_id = ${fixture.id}`;
    server.answer = answering(200);
    expect((await fixture.resend(fixture.begin)).json.scheduled).to.equal(1);
    await fixture.deliverAll();
    expect(fixture.arrived()).to.deep.equal([missed, missed]);
    const [latest, earlier] = await fixture.deliveries();
    expect(latest).to.include({ status: 'delivered', resend_of: earlier.id });
  });

  it('sends a thousand at most and names where to continue, until nothing is left', async () => {
    const pause = 7;
    await fixture.setStatus('disabled');
    const from = stack.clock();
    await addEvents(
      'charge.succeeded',
      Array.from(
        { length: 2_345 },
        (_, at) => new Date(from.getTime() + Math.floor(at / 3) * pause),
      ),
    );
    stack.clock.advance(HOUR);
    await fixture.setStatus('enabled');
    const walked: number[] = [];
    let since: string | null = fixture.begin;
    while (since !== null) {
      const { json }: { json: any } = await fixture.resend(since);
      walked.push(json.scheduled);
      since = json.next_since;
      expect((await fixture.endpoint()).missed_since).to.equal(since);
    }
    expect(walked).to.deep.equal([1_000, 1_000, 345]);
    const made = await stack.sql`select event_id from deliveries where endpoint_id = ${fixture.id}`;
    expect(made).to.have.length(2_345);
    expect(new Set(made.map(({ event_id }) => event_id)).size).to.equal(2_345);
    await stack.sql`update deliveries set status = 'cancelled', due_at = null
      where endpoint_id = ${fixture.id}`;
  });

  it('reads a bounded number of events of other types and names where to continue', async () => {
    await fixture.setStatus('disabled');
    const events = Array.from({ length: 20_500 }, () => stack.clock());
    await addEvents('charge.failed', events);
    const [missed] = await fixture.publishEvents();
    await fixture.setStatus('enabled');
    const first = (await fixture.resend(fixture.begin)).json;
    expect(first).to.include({ scheduled: 0, next_since: events[20_000]!.toISOString() });
    expect((await fixture.endpoint()).missed_since).to.equal(first.next_since);
    expect((await fixture.resend(first.next_since)).json).to.include({
      scheduled: 1,
      next_since: null,
    });
    await fixture.deliverAll();
    expect(fixture.arrived()).to.deep.equal([missed]);
  });

  it('sends only events of its types, tenant and mode, and none from before it was created', async () => {
    const foreign = await newMerchant(stack);
    const make = async (url: string) =>
      (await merchant.post('/webhook-endpoints', { url })).json.id;
    const other = await make(`${server.url}/other`);
    await fixture.setStatus('disabled');
    await publish(foreign.of);
    await publish(merchant.of, 'refund.failed');
    await stack.sql`delete from deliveries where endpoint_id = ${other}`;
    await publish(merchant.of);
    await stack.settle();
    const late = await make(server.url);
    await fixture.setStatus('enabled');
    expect(await scheduledOf(late), 'made since').to.equal(0);
    expect(await scheduledOf(fixture.id)).to.equal(1);
    expect(await scheduledOf(other), 'the other had it').to.equal(0);
  });

  it('is refused for a disabled endpoint, and names an invalid or too early time', async () => {
    await stack.settle(); // no try is recorded meanwhile
    const longAgo = new Date(stack.clock().getTime() - 61 * DAY).toISOString();
    for (const since of [longAgo, '0001-01-01T00:00:00Z', 'now'])
      await expectRefusal(stack, () => fixture.resend(since, 'bad'), 'validation_failed', [
        'since',
      ]);
    await fixture.setStatus('disabled');
    await expectRefusal(stack, () => fixture.resend(fixture.begin, 'bad'), 'invalid_state');
  });
});
