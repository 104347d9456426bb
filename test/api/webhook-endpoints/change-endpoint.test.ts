import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { useMerchant } from '../../support/merchant-server.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const url = 'https://shop.example/webhooks';

describe('Webhook endpoints', () => {
  const stack = useStack({ workers: false });
  const merchant = useMerchant(stack);
  let id: string;
  let path: string;
  beforeEach(async () => {
    id = (await merchant.post('/webhook-endpoints', { url })).json.id;
    path = `/webhook-endpoints/${id}`;
  });

  const deliveries = async () => (await merchant.get('/deliveries?limit=100')).json.data;
  const statuses = async () => (await deliveries()).map(({ status }: { status: string }) => status);
  const row = async () =>
    (await stack.context.db.query<any>('select * from webhook_endpoints where id = $1', [id]))[0];

  it('are listed with the number of their pending deliveries', async () => {
    await merchant.post('/webhook-endpoints', { url: `${url}/two` });
    await publish(merchant.of);
    const { data } = (await merchant.get('/webhook-endpoints')).json;
    expect(data.map((row: any) => [row.url, row.pending_deliveries])).to.deep.equal([
      [`${url}/two`, 1],
      [url, 1],
    ]);
  });

  describe('changing', () => {
    it('changes URL and event types from the next event on, and resets its failures', async () => {
      await stack.sql`update webhook_endpoints set failing_since = now() where id = ${id}`;
      expect(
        (await merchant.patch(path, { event_types: ['charge.failed'] })).json.failing_since,
      ).to.be.a('string');
      const answer = await merchant.patch(path, { url: `${url}/2` });
      expect(answer.json).to.include({ url: `${url}/2`, status: 'enabled', failing_since: null });
      expect(answer.json.event_types).to.deep.equal(['charge.failed']);
      await publish(merchant.of);
      expect(await deliveries()).to.deep.equal([]);
      const eventId = await publish(merchant.of, 'charge.failed');
      expect((await deliveries()).map(({ event_id }: any) => event_id)).to.deep.equal([eventId]);
      expect((await auditOf(stack, id)).slice(1)).to.deep.equal([
        {
          actor: merchant.memberId,
          action: 'webhook_endpoint.changed',
          detail: 'event_types: charge.failed',
        },
        { actor: merchant.memberId, action: 'webhook_endpoint.changed', detail: `url: ${url}/2` },
      ]);
    });

    it('cancels pending deliveries of a disabled endpoint, and creates no more', async () => {
      for (let made = 0; made < 3; made++) await publish(merchant.of);
      const answer = await merchant.patch(path, { status: 'disabled' });
      expect(answer.json).to.include({
        status: 'disabled',
        disabled_reason: 'by_hand',
        pending_deliveries: 0,
      });
      expect(await statuses()).to.deep.equal(['cancelled', 'cancelled', 'cancelled']);
      for (const delivery of await deliveries()) {
        expect(delivery.next_try_at).to.equal(null);
        expect(delivery.finished_at).to.equal(answer.json.disabled_at);
      }
      await publish(merchant.of);
      expect(await deliveries()).to.have.length(3);
      expect(
        (await writingNothing(stack, () => merchant.patch(path, { status: 'disabled' }))).json,
      ).to.deep.equal(answer.json);
    });

    it('sends new events once it is enabled again, and shows since when it missed some', async () => {
      await addDelivery(merchant.of, { endpointId: id, status: 'delivered' });
      const [first] = [await publish(merchant.of), await publish(merchant.of)];
      await merchant.patch(path, { status: 'disabled' });
      await publish(merchant.of);
      const { status, disabled_at, disabled_reason, missed_since } = (
        await merchant.patch(path, { status: 'enabled' })
      ).json;
      expect({ status, disabled_at, disabled_reason }).to.deep.equal({
        status: 'enabled',
        disabled_at: null,
        disabled_reason: null,
      });
      const [event] = await stack.sql<{ created_at: Date }>`select created_at from events
        where id = ${first}`;
      expect(Date.parse(missed_since)).to.be.at.most(event!.created_at.getTime());
      await publish(merchant.of);
      expect(await statuses()).to.deep.equal(['pending', 'cancelled', 'cancelled', 'delivered']);
    });

    it('keeps every change of simultaneous requests', async () => {
      const hold = (sql: any) =>
        sql.query('select from webhook_endpoints where id = $1 for update', [id]);
      const changes = [
        { url: `${url}/x` },
        { event_types: ['charge.failed'] },
        { status: 'disabled' },
      ];
      await whileHeld(stack, hold, () => changes.map((body) => merchant.patch(path, body)));
      const { json } = await merchant.get(path);
      expect(json).to.include({ url: `${url}/x`, status: 'disabled' });
      expect(json.event_types).to.deep.equal(['charge.failed']);
    });
  });

  describe('deleting', () => {
    it('cancels pending deliveries, keeps past ones readable, and deletes the secrets', async () => {
      const sent = await addDelivery(merchant.of, { endpointId: id, status: 'delivered' });
      await publish(merchant.of);
      await merchant.post(`${path}/rotate-secret`);
      const answer = await merchant.remove(path);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.include({ id, url, status: 'disabled', pending_deliveries: 0 });
      expect(answer.json.disabled_at).to.be.a('string');
      expect(answer.json.secrets, 'no older one').to.deep.equal([{ until: null }]);
      expect(await statuses()).to.deep.equal(['cancelled', 'delivered']);
      expect((await merchant.get(`/deliveries/${sent}`)).json).to.include({
        id: sent,
        endpoint_id: id,
      });
      expect((await merchant.get(`/deliveries?endpoint=${id}`)).json.data).to.have.length(2);
      expect(await row()).to.deep.include({ secret: '', old_secrets: [], status: 'disabled' });
      expect((await auditOf(stack, id)).at(-1)).to.deep.equal({
        ...{ actor: merchant.memberId, action: 'webhook_endpoint.deleted', detail: url },
      });
    });

    it('makes every other request to it 404', async () => {
      await merchant.remove(path);
      expect((await merchant.get('/webhook-endpoints')).json.data).to.deep.equal([]);
      const tries = [
        () => merchant.get(path),
        () => merchant.patch(path, { status: 'enabled' }),
        () => merchant.remove(path),
        () => merchant.post(`${path}/rotate-secret`),
        () => merchant.post(`${path}/test`),
        () => merchant.post(`${path}/resend`, { since: stack.clock().toISOString() }),
      ];
      for (const attempt of tries) await expectRefusal(stack, attempt, 'not_found');
      await writingNothing(stack, async () => undefined);
      await publish(merchant.of);
      expect(await deliveries()).to.deep.equal([]);
    });

    it('happens once for eight simultaneous requests; enabling it meanwhile does not restore it', async () => {
      await publish(merchant.of);
      const hold = (sql: any) =>
        sql.query('select from webhook_endpoints where id = $1 for update', [id]);
      const answers = await whileHeld(stack, hold, () => [
        ...Array.from({ length: 8 }, () => merchant.remove(path)),
        merchant.patch(path, { status: 'enabled' }),
      ]);
      expect(answers.slice(0, 8).filter(({ status }) => status === 200)).to.have.length(1);
      expect(await row()).to.include({ secret: '', status: 'disabled' });
      expect(
        (await auditOf(stack, id)).filter(({ action }) => action === 'webhook_endpoint.deleted'),
      ).to.have.length(1);
    });
  });
});
