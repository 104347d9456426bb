import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { resendMissed } from '../../../domain/webhooks/delivery/resend-missed.ts';
import { DAY, HOUR, SECOND } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { newMerchant } from './given.ts';
import { answering, openStore, type Store } from './store.ts';

describe('POST /webhook-endpoints/{id}/resend', () => {
  let stack: Stack;
  let store: Store;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    store = await openStore(stack);
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await store[Symbol.asyncDispose]();
  });

  it('spaces them out, the oldest first', async () => {
    await store.turn('disabled');
    const missed = await store.happened(30);
    await store.turn('enabled');
    const actor = {
      tenantId: store.merchant.tenant.tenant_id,
      mode: 'test',
      subjectId: 'fam_x',
      memberId: store.merchant.memberId,
    } as const;
    const { db, vault } = stack.context;
    const now = stack.clock();
    const { jobs } = await db.transaction((sql) =>
      resendMissed({ sql, vault, now }, actor, store.id, new Date(store.begin)),
    );
    const made = await db.query<{ id: string; event_id: string; due_at: Date }>(
      'select id, event_id, due_at from deliveries where endpoint_id = $1 order by due_at',
      [store.id],
    );
    expect(made.map(({ event_id }) => event_id)).to.deep.equal(missed);
    expect(made.map(({ due_at }) => due_at.getTime() - now.getTime())).to.deep.equal(
      missed.map((_, place) => place * 10),
    );
    expect(jobs.map(({ id, dueAt }) => ({ id, dueAt }))).to.deep.equal(
      made.map((row) => ({ id: row.id, dueAt: row.due_at })),
    );
    await store.allSent();
    expect(store.arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('sends again what was given up and what was cancelled, and neither what arrived nor what still waits', async () => {
    const rows: Record<string, string> = {};
    for (const status of ['delivered', 'exhausted', 'cancelled', 'pending'] as const) {
      rows[status] = await addDelivery(store.merchant.of, { endpointId: store.id, status });
    }
    await stack.context.db.query(
      `update events set type = 'charge.succeeded' where tenant_id = $1`,
      [store.merchant.tenant.tenant_id],
    );
    expect((await store.resend(store.begin)).json.scheduled).to.equal(2);
    const made = (await store.deliveries()).filter((row: any) => row.resend_of !== null);
    expect(made.map((row: any) => row.resend_of).sort()).to.deep.equal(
      [rows.exhausted, rows.cancelled].sort(),
    );
    for (const status of ['delivered', 'exhausted', 'cancelled', 'pending']) {
      expect(
        (await store.merchant.get(`/deliveries/${rows[status]}`)).json.status,
        'the old one stays',
      ).to.equal(status);
    }
  });

  it('asked for twice, or eight times at once, sends each event once', async () => {
    await store.turn('disabled');
    const missed = await store.happened(4);
    await store.turn('enabled');
    const answers = await Promise.all(Array.from({ length: 8 }, () => store.resend(store.begin)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(202));
    expect(answers.map(({ json }) => json.scheduled).sort()).to.deep.equal([
      0, 0, 0, 0, 0, 0, 0, 4,
    ]);
    await store.allSent();
    expect((await store.resend(store.begin)).json.scheduled).to.equal(0);
    await store.allSent();
    expect(store.arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('of what a resend could not deliver either, sends it again', async () => {
    await store.turn('disabled');
    const [missed] = await store.happened();
    await store.turn('enabled');
    store.shop.answer = answering(500);
    await store.resend(store.begin);
    await store.wait(SECOND);
    expect((await store.resend(store.begin)).json.scheduled, 'it is on its way').to.equal(0);
    await stack.context.db.query(
      `update deliveries set status = 'exhausted', due_at = null, finished_at = now() where endpoint_id = $1`,
      [store.id],
    );
    store.shop.answer = answering(200);
    expect((await store.resend(store.begin)).json.scheduled).to.equal(1);
    await store.allSent();
    expect(store.arrived()).to.deep.equal([missed, missed]);
    const [latest, earlier] = await store.deliveries();
    expect(latest).to.include({ status: 'delivered', resend_of: earlier.id });
  });

  it('of more than a thousand, says where to go on, until nothing is left', async () => {
    const pause = 7;
    await store.turn('disabled');
    const from = stack.clock();
    const events = Array.from(
      { length: 2_345 },
      (_, at) => new Date(from.getTime() + Math.floor(at / 3) * pause),
    );
    await stack.context.db.query(
      `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       select id, $1, 'test', 'charge.succeeded', id, '{}', at from unnest($2::text[], $3::timestamptz[]) as made (id, at)`,
      [store.merchant.tenant.tenant_id, events.map((at) => newId('evt', at)), events],
    );
    stack.clock.advance(HOUR);
    await store.turn('enabled');
    const walked: number[] = [];
    let since: string | null = store.begin;
    while (since !== null) {
      const { json }: { json: any } = await store.resend(since);
      walked.push(json.scheduled);
      since = json.next_since;
      expect((await store.endpoint()).missed_since).to.equal(since);
    }
    expect(walked).to.deep.equal([1_000, 1_000, 345]);
    const [{ events: distinct, made }] = (await stack.context.db.query(
      'select count(distinct event_id)::int as events, count(*)::int as made from deliveries where endpoint_id = $1',
      [store.id],
    )) as any;
    expect({ distinct, made }).to.deep.equal({ distinct: 2_345, made: 2_345 });
    await stack.context.db.query(
      `update deliveries set status = 'cancelled', due_at = null where endpoint_id = $1`,
      [store.id],
    );
  });

  it('among very many events of other types, looks at some and says where to go on', async () => {
    await store.turn('disabled');
    const events = Array.from({ length: 20_500 }, () => stack.clock());
    await stack.context.db.query(
      `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       select id, $1, 'test', 'charge.failed', id, '{}', at from unnest($2::text[], $3::timestamptz[]) as made (id, at)`,
      [store.merchant.tenant.tenant_id, events.map((at) => newId('evt', at)), events],
    );
    const [missed] = await store.happened();
    await store.turn('enabled');
    const first = (await store.resend(store.begin)).json;
    expect(first).to.include({ scheduled: 0, next_since: events[20_000]!.toISOString() });
    expect((await store.endpoint()).missed_since).to.equal(first.next_since);
    expect((await store.resend(first.next_since)).json).to.include({
      scheduled: 1,
      next_since: null,
    });
    await store.allSent();
    expect(store.arrived()).to.deep.equal([missed]);
  });

  it('sends what was missed of its types, its tenant and its mode alone, and nothing from before it was made', async () => {
    const stranger = await newMerchant(stack);
    const other = (
      await store.merchant.post('/webhook-endpoints', { url: `${store.shop.url}/other` })
    ).json.id;
    await store.turn('disabled');
    await publish(stranger.of);
    await publish(store.merchant.of, 'refund.failed');
    await stack.context.db.query('delete from deliveries where endpoint_id = $1', [other]);
    await publish(store.merchant.of);
    await stack.settle();
    const late = (await store.merchant.post('/webhook-endpoints', { url: store.shop.url })).json.id;
    await store.turn('enabled');
    expect(
      (await store.merchant.post(`/webhook-endpoints/${late}/resend`, { since: store.begin })).json
        .scheduled,
      'made since',
    ).to.equal(0);
    expect((await store.resend(store.begin)).json.scheduled).to.equal(1);
    expect(
      (await store.merchant.post(`/webhook-endpoints/${other}/resend`, { since: store.begin })).json
        .scheduled,
      'the other had it',
    ).to.equal(0);
  });

  it('is refused for an endpoint that is disabled, and for a time that is none or long ago, by name', async () => {
    const longAgo = new Date(stack.clock().getTime() - 61 * DAY).toISOString();
    for (const since of [
      longAgo,
      '1970-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      'now',
      '',
      7,
      null,
    ]) {
      const answer = await writingNothing(stack, () => store.resend(since as string, 'bad'));
      expectError(answer, 422, 'validation_failed', ['since']);
    }
    expectError(
      await store.merchant.post(`/webhook-endpoints/${store.id}/resend`, {}),
      422,
      'validation_failed',
      ['since'],
    );
    await store.turn('disabled');
    expectError(
      await writingNothing(stack, () => store.resend(store.begin, 'bad')),
      409,
      'invalid_state',
    );
  });
});
