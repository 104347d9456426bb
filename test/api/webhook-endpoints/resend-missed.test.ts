import { expect } from 'chai';
import { newId } from '../../../domain/ids.ts';
import { publishEvent } from '../../../domain/webhook/publish.ts';
import { resendSince } from '../../../domain/webhook/resend.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { memberOf } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { type Merchant, newMerchant, type Shop, startShop } from './given.ts';

const answering = (status: number) => (response: any) => void response.writeHead(status).end();

describe('POST /webhook-endpoints/{id}/resend', () => {
  let stack: Stack;
  let merchant: Merchant;
  let shop: Shop;
  let id: string;
  let begin: string;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    merchant = await newMerchant(stack);
    shop = await startShop(stack.clock);
    begin = stack.clock().toISOString();
    id = (await merchant.post('/webhook-endpoints', { url: shop.url })).json.id;
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await shop[Symbol.asyncDispose]();
  });

  const endpoint = async () => (await merchant.get(`/webhook-endpoints/${id}`)).json;
  const turn = (status: 'enabled' | 'disabled') => merchant.patch(`/webhook-endpoints/${id}`, { status });
  const resend = (since: string, idempotencyKey?: string) => merchant.post(`/webhook-endpoints/${id}/resend`, { since }, idempotencyKey);
  const happened = async (count = 1) => {
    const events: string[] = [];
    for (let made = 0; made < count; made++) events.push(await publish(merchant.of));
    await stack.settle();
    return events;
  };
  /** Lets what is due in the next seconds go out. */
  const wait = async (ms = 30 * SECOND) => {
    stack.clock.advance(ms);
    await stack.settle();
  };
  const arrived = () => shop.arrivals.map(({ event }) => event.id);
  const deliveries = async (query = '') => (await merchant.get(`/deliveries?limit=100&endpoint=${id}&${query}`)).json.data;

  it('sends what was missed while the endpoint was disabled, oldest first and each once; the notice goes', async () => {
    const [before] = await happened();
    const disabled = await turn('disabled');
    expect(disabled.json.missed_since).to.be.a('string');
    const missed = await happened(5);
    const { missed_since: since } = (await turn('enabled')).json;
    const [after] = await happened();
    expect(arrived()).to.deep.equal([before, after]);

    const { status, json } = await resend(since);
    expect(status).to.equal(202);
    expect(json).to.deep.equal({
      ...{ object: 'resend', endpoint_id: id, since, scheduled: 5, next_since: null, pending_deliveries: 5 },
    });
    expect((await endpoint()).missed_since).to.equal(null);
    const due = await stack.context.db.query<{ event_id: string }>(
      `select event_id from deliveries where endpoint_id = $1 and event_id = any($2) order by due_at nulls last, id`,
      [id, missed],
    );
    expect(due).to.have.length(5);
    await wait();
    expect(arrived().sort()).to.deep.equal([before, ...missed, after].sort());
    expect((await endpoint()).pending_deliveries).to.equal(0);
    expect((await auditOf(stack, id)).at(-1)).to.include({ action: 'webhook_endpoint.resent', actor: merchant.memberId });
  });

  it('spaces them out, the oldest first', async () => {
    await turn('disabled');
    const missed = await happened(30);
    await turn('enabled');
    const actor = { tenantId: merchant.tenant.tenant_id, mode: 'test', subjectId: 'fam_x', memberId: merchant.memberId } as const;
    const { db, vault } = stack.context;
    const now = stack.clock();
    const { jobs } = await db.transaction((sql) => resendSince({ sql, vault, now }, actor, id, new Date(begin)));
    const made = await db.query<{ id: string; event_id: string; due_at: Date }>(
      'select id, event_id, due_at from deliveries where endpoint_id = $1 order by due_at',
      [id],
    );
    expect(made.map(({ event_id }) => event_id)).to.deep.equal(missed);
    expect(made.map(({ due_at }) => due_at.getTime() - now.getTime())).to.deep.equal(missed.map((_, place) => place * 10));
    expect(jobs.map(({ id, dueAt }) => ({ id, dueAt }))).to.deep.equal(made.map((row) => ({ id: row.id, dueAt: row.due_at })));
    await wait();
    expect(arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('sends again what was given up and what was cancelled, and neither what arrived nor what still waits', async () => {
    const rows: Record<string, string> = {};
    for (const status of ['delivered', 'exhausted', 'cancelled', 'pending'] as const) {
      rows[status] = await addDelivery(merchant.of, { endpointId: id, status });
    }
    await stack.context.db.query(`update events set type = 'charge.succeeded' where tenant_id = $1`, [merchant.tenant.tenant_id]);
    expect((await resend(begin)).json.scheduled).to.equal(2);
    const made = (await deliveries()).filter((row: any) => row.resend_of !== null);
    expect(made.map((row: any) => row.resend_of).sort()).to.deep.equal([rows.exhausted, rows.cancelled].sort());
    for (const status of ['delivered', 'exhausted', 'cancelled', 'pending']) {
      expect((await merchant.get(`/deliveries/${rows[status]}`)).json.status, 'the old one stays').to.equal(status);
    }
  });

  it('asked for twice, or eight times at once, sends each event once', async () => {
    await turn('disabled');
    const missed = await happened(4);
    await turn('enabled');
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(begin)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(202));
    expect(answers.map(({ json }) => json.scheduled).sort()).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 4]);
    await wait();
    expect((await resend(begin)).json.scheduled).to.equal(0);
    await wait();
    expect(arrived().sort()).to.deep.equal([...missed].sort());
  });

  it('is replayed under its Idempotency-Key', async () => {
    await turn('disabled');
    await happened(2);
    await turn('enabled');
    const [first, second] = [await resend(begin, 'once'), await resend(begin, 'once')];
    expect(first.json.scheduled).to.equal(2);
    expect([second.text, second.headers.get('idempotent-replayed')]).to.deep.equal([first.text, 'true']);
    expect(await deliveries()).to.have.length(2);
  });

  it('of what a resend could not deliver either, sends it again', async () => {
    await turn('disabled');
    const [missed] = await happened();
    await turn('enabled');
    shop.answer = answering(500);
    await resend(begin);
    await wait();
    expect((await resend(begin)).json.scheduled, 'it is on its way').to.equal(0);
    await stack.context.db.query(`update deliveries set status = 'exhausted', due_at = null, finished_at = now() where endpoint_id = $1`, [
      id,
    ]);
    shop.answer = answering(200);
    expect((await resend(begin)).json.scheduled).to.equal(1);
    await wait();
    expect(arrived()).to.deep.equal([missed, missed]);
    const [latest, earlier] = await deliveries();
    expect(latest).to.include({ status: 'delivered', resend_of: earlier.id });
  });

  it('of more than a thousand, says where to go on, until nothing is left', async () => {
    const pause = 7;
    await turn('disabled');
    const from = stack.clock();
    const events = Array.from({ length: 2_345 }, (_, at) => new Date(from.getTime() + Math.floor(at / 3) * pause));
    await stack.context.db.query(
      `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       select id, $1, 'test', 'charge.succeeded', id, '{}', at from unnest($2::text[], $3::timestamptz[]) as made (id, at)`,
      [merchant.tenant.tenant_id, events.map((at) => newId('evt', at)), events],
    );
    stack.clock.advance(HOUR);
    await turn('enabled');
    const walked: number[] = [];
    let since: string | null = begin;
    while (since !== null) {
      const { json }: { json: any } = await resend(since);
      walked.push(json.scheduled);
      since = json.next_since;
      expect((await endpoint()).missed_since).to.equal(since);
    }
    expect(walked).to.deep.equal([1_000, 1_000, 345]);
    const [{ events: distinct, made }] = (await stack.context.db.query(
      'select count(distinct event_id)::int as events, count(*)::int as made from deliveries where endpoint_id = $1',
      [id],
    )) as any;
    expect({ distinct, made }).to.deep.equal({ distinct: 2_345, made: 2_345 });
    await stack.context.db.query(`update deliveries set status = 'cancelled', due_at = null where endpoint_id = $1`, [id]);
  });

  it('among very many events of other types, looks at some and says where to go on', async () => {
    await turn('disabled');
    const events = Array.from({ length: 20_500 }, () => stack.clock());
    await stack.context.db.query(
      `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       select id, $1, 'test', 'charge.failed', id, '{}', at from unnest($2::text[], $3::timestamptz[]) as made (id, at)`,
      [merchant.tenant.tenant_id, events.map((at) => newId('evt', at)), events],
    );
    const [missed] = await happened();
    await turn('enabled');
    const first = (await resend(begin)).json;
    expect(first).to.include({ scheduled: 0, next_since: events[20_000]!.toISOString() });
    expect((await endpoint()).missed_since).to.equal(first.next_since);
    expect((await resend(first.next_since)).json).to.include({ scheduled: 1, next_since: null });
    await wait();
    expect(arrived()).to.deep.equal([missed]);
  });

  it('sends what was missed of its types, its tenant and its mode alone, and nothing from before it was made', async () => {
    const stranger = await newMerchant(stack);
    const other = (await merchant.post('/webhook-endpoints', { url: `${shop.url}/other` })).json.id;
    await turn('disabled');
    await publish(stranger.of);
    await publish(merchant.of, 'refund.failed');
    await stack.context.db.query('delete from deliveries where endpoint_id = $1', [other]);
    await publish(merchant.of);
    await stack.settle();
    const late = (await merchant.post('/webhook-endpoints', { url: shop.url })).json.id;
    await turn('enabled');
    expect((await merchant.post(`/webhook-endpoints/${late}/resend`, { since: begin })).json.scheduled, 'made since').to.equal(0);
    expect((await resend(begin)).json.scheduled).to.equal(1);
    expect((await merchant.post(`/webhook-endpoints/${other}/resend`, { since: begin })).json.scheduled, 'the other had it').to.equal(0);
  });

  it('from a later time than the notice, sends that alone, and the notice stays; from the future, nothing', async () => {
    await turn('disabled');
    await happened();
    stack.clock.advance(MINUTE);
    const later = stack.clock().toISOString();
    await happened();
    await turn('enabled');
    const { missed_since: since } = await endpoint();
    const future = new Date(stack.clock().getTime() + DAY).toISOString();
    for (const [from, scheduled, left] of [
      [future, 0, since],
      ['9999-12-31T23:59:59Z', 0, since],
      [later, 1, since],
      [since, 1, null],
    ]) {
      const { json } = await resend(from);
      expect({ scheduled: json.scheduled, next_since: json.next_since }, from).to.deep.equal({ scheduled, next_since: null });
      expect((await endpoint()).missed_since, from).to.equal(left);
    }
  });

  it('of an endpoint that failed for days: since its first failure, whatever waits and whatever was given up', async () => {
    shop.answer = answering(500);
    const lost = await happened(2);
    const waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
    for (let day = 0; day < 6; day++) {
      for (const ms of waits) await wait(ms * 1.11);
      await wait(4 * HOUR);
      lost.push(...(await happened()));
    }
    merchant = await newMerchant(stack, 'test', merchant.tenant);
    const { status, disabled_reason, missed_since } = await endpoint();
    expect({ status, disabled_reason }).to.deep.equal({ status: 'disabled', disabled_reason: 'failing' });
    expect(missed_since <= (await eventAt(lost[0]!))).to.equal(true);
    shop.answer = answering(200);
    shop.arrivals.length = 0;
    await turn('enabled');
    expect((await resend(missed_since)).json.scheduled).to.equal(lost.length);
    await wait();
    expect(arrived().sort()).to.deep.equal([...lost].sort());
  });

  it('of an endpoint that said it is gone: the event it said it to as well', async () => {
    shop.answer = answering(410);
    const gone = await happened();
    const { status, disabled_reason, missed_since } = await endpoint();
    expect({ status, disabled_reason }).to.deep.equal({ status: 'disabled', disabled_reason: 'gone' });
    gone.push(...(await happened(2)));
    shop.answer = answering(200);
    shop.arrivals.length = 0;
    await turn('enabled');
    expect((await resend(missed_since)).json.scheduled).to.equal(3);
    await wait();
    expect(arrived().sort()).to.deep.equal(gone.sort());
    expect((await endpoint()).missed_since).to.equal(null);
  });

  it('knows the oldest event it missed, also where its delivery is the newest', async () => {
    const [old, young] = [await addDelivery(merchant.of, { endpointId: id, status: 'exhausted' }), await publish(merchant.of)];
    const again = (await merchant.post(`/deliveries/${old}/resend`)).json;
    await stack.context.db.query(`update deliveries set status = 'pending', due_at = 'infinity' where event_id = $1 or id = $2`, [
      young,
      again.id,
    ]);
    const { missed_since } = (await turn('disabled')).json;
    expect(missed_since <= (await eventAt(again.event_id))).to.equal(true);
  });

  it('of an event whose change was under way while the endpoint was disabled', async () => {
    await stack.context.atomically(async (phase) => {
      const jobs = await publishEvent(phase, {
        ...{ tenantId: merchant.tenant.tenant_id, mode: 'test', type: 'charge.succeeded', subjectId: 'x', data: {} },
      });
      await turn('disabled');
      return jobs;
    });
    await stack.settle();
    expect((await deliveries()).map(({ status }: any) => status)).to.deep.equal(['cancelled']);
    const { missed_since } = (await turn('enabled')).json;
    expect((await resend(missed_since)).json.scheduled).to.equal(1);
    await wait();
    expect(shop.arrivals).to.have.length(1);
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
      const answer = await writingNothing(stack, () => resend(since as string, 'bad'));
      expectError(answer, 422, 'validation_failed', ['since']);
    }
    expectError(await merchant.post(`/webhook-endpoints/${id}/resend`, {}), 422, 'validation_failed', ['since']);
    await turn('disabled');
    expectError(await writingNothing(stack, () => resend(begin, 'bad')), 409, 'invalid_state');
  });

  it('is for Owners and developers', async () => {
    const viewer = await memberOf(stack, merchant.tenant, 'viewer');
    for (const key of [viewer.token, merchant.tenant.secret_key_test]) {
      const refused = await writingNothing(stack, () => stack.api.post(`/webhook-endpoints/${id}/resend`, { since: begin }, { key }));
      expectError(refused, 403, 'forbidden');
    }
  });

  async function eventAt(eventId: string): Promise<string> {
    const [event] = await stack.context.db.query<{ created_at: Date }>('select created_at from events where id = $1', [eventId]);
    return event!.created_at.toISOString();
  }
});
