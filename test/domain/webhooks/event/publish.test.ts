import { expect } from 'chai';
import { newId } from '../../../../domain/shared/ids.ts';
import { type EventType, publishEvent } from '../../../../domain/webhooks/event/publish.ts';
import { useLedgerForEach } from '../../ledger.ts';

describe('An event', () => {
  const ledger = useLedgerForEach();
  let publish: (type: EventType) => Promise<unknown>;
  beforeEach(async () => {
    const [{ tenant_id: tenantId }] = await ledger.rows('select tenant_id from webhook_endpoints');
    const about = { tenantId, mode: 'test', subjectId: newId('txn', ledger.clock()), data: {} };
    publish = (type) => ledger.tx((tx) => publishEvent(tx, { ...about, type }));
  });

  const events = async () =>
    (await ledger.rows('select type from events order by id')).map(({ type }) => type);

  it('of a dispute is written again when the charge is disputed again', async () => {
    for (let time = 0; time < 2; time++) await publish('charge.disputed');
    expect(await events()).to.deep.equal(['charge.disputed', 'charge.disputed']);
  });

  it('of a success is written once, and whoever is late fails', async () => {
    await publish('charge.succeeded');
    const late = await publish('charge.succeeded').catch((error: Error) => error.message);
    expect(late).to.match(/^txn_\w+ has succeeded before\.$/);
    expect(await events()).to.deep.equal(['charge.succeeded']);
  });
});
