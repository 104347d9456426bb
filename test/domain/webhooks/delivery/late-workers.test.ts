import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import { recordTries } from '../../../../domain/webhooks/delivery/record-tries.ts';
import { resendDelivery } from '../../../../domain/webhooks/delivery/resend.ts';
import {
  cancelDeliveries,
  type DeliveryToSend,
  SELECT_DELIVERIES_TO_SEND,
} from '../../../../domain/webhooks/delivery/to-send.ts';
import {
  type DisabledReason,
  disableEndpoint,
  recordFailure,
} from '../../../../domain/webhooks/endpoint/disable.ts';
import { publishEvent } from '../../../../domain/webhooks/event/publish.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { HOUR, MINUTE } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { useLedgerForEach } from '../../ledger.ts';

const QUEUE = 'webhook-deliver';

describe('A delivery that two workers have', () => {
  const ledger = useLedgerForEach();
  const context = { context: ledger };
  let tenantId: string;
  let endpointId: string;
  let id: string;
  beforeEach(async () => {
    ({ id: endpointId, tenant_id: tenantId } = await endpoint());
    const about = { tenantId, mode: 'test', subjectId: newId('txn', ledger.clock()), data: {} };
    const [job] = await ledger.tx((tx) => publishEvent(tx, { ...about, type: 'refund.completed' }));
    id = job!.id!;
  });

  const delivery = async () =>
    (await ledger.rows('select * from deliveries where id = $1', id))[0]!;
  const endpoint = async () => (await ledger.rows('select * from webhook_endpoints'))[0]!;
  const tries = async () =>
    (await ledger.rows('select status_code from delivery_tries order by try')).map(
      ({ status_code: code }) => code,
    );
  const claim = async (sql: Sql = ledger.db) => {
    const row = (await delivery()) as { id: string };
    const select = SELECT_DELIVERIES_TO_SEND;
    return (await claimRow<DeliveryToSend>(sql, QUEUE, row, ledger.clock(), select))!;
  };
  const claimAfterLease = (sql?: Sql) => {
    ledger.clock.advance(queues[QUEUE].leaseMs);
    return claim(sql);
  };
  const ended = (claimed: DeliveryToSend, statusCode: number) => {
    const endedAt = ledger.clock();
    const isDelivered = statusCode === 200;
    const dueAt = isDelivered ? null : new Date(endedAt.getTime() + MINUTE);
    const status = isDelivered ? 'delivered' : 'pending';
    const decision = { status, dueAt, succeeded: isDelivered, disable: null } as const;
    const made = { at: endedAt, durationMs: 1, statusCode, error: null, answer: '' };
    return { delivery: claimed, made, endedAt, decision };
  };
  const record = (claimed: DeliveryToSend, statusCode: number) =>
    recordTries(ledger.db, [ended(claimed, statusCode)]);
  const cancel = (claimed: DeliveryToSend) =>
    cancelDeliveries(ledger.db, [claimed], ledger.clock());
  const resend = () => {
    const actor = { tenantId, mode: 'test', subjectId: 'key', memberId: null } as const;
    return ledger.tx((tx) => resendDelivery(tx, actor, id));
  };
  const disable = (reason: DisabledReason) =>
    ledger.inTx((tx) => disableEndpoint(tx, endpointId, reason));
  const fail = () => recordFailure({ sql: ledger.db, now: ledger.clock() }, endpointId);

  for (const [title, write, recorded] of [
    ['records a failure', (stale: DeliveryToSend) => record(stale, 500), [500]],
    ['finds its endpoint disabled', cancel, []],
  ] as const) {
    it(`is left to the second, which claimed it after the lease of the first, where the first ${title}`, async () => {
      const stale = await claim();
      await claimAfterLease();
      const before = await delivery();
      await write(stale);
      expect(await delivery()).to.deep.equal(before);
      expect(await tries()).to.deep.equal(recorded);
    });

    it(`is left to the second, which claims it at this moment, where the first ${title}`, async () => {
      const stale = await claim();
      let asClaimed: unknown;
      await whileHeld(
        context,
        async (sql) => {
          await claimAfterLease(sql);
          [asClaimed] = await sql.query('select * from deliveries where id = $1', [id]);
        },
        () => [write(stale)],
      );
      expect(await delivery()).to.deep.equal(asClaimed);
      expect(await tries()).to.deep.equal(recorded);
    });
  }

  it('stays cancelled where its endpoint was disabled meanwhile, and the try fails', async () => {
    const claimed = await claim();
    await disable('gone');
    const before = await delivery();
    await record(claimed, 500);
    expect(await delivery()).to.deep.equal(before);
  });

  it('is delivered where its endpoint was disabled meanwhile, and the try arrives', async () => {
    const claimed = await claim();
    await disable('gone');
    await record(claimed, 200);
    expect(await delivery()).to.include({ status: 'delivered' });
  });

  it('stays delivered where its endpoint is found disabled after that', async () => {
    const claimed = await claim();
    await record(claimed, 200);
    const before = await delivery();
    await cancel(claimed);
    expect(await delivery()).to.deep.equal(before);
  });

  it('numbers tries that are recorded at one moment in their order', async () => {
    const first = ended(await claim(), 500);
    const second = ended(await claimAfterLease(), 200);
    await recordTries(ledger.db, [second, first]);
    expect(await tries()).to.deep.equal([500, 200]);
    expect(await delivery()).to.include({ status: 'delivered', tries: 2 });
  });

  it('has one try where the statement that records it is repeated', async () => {
    const one = ended(await claim(), 500);
    await recordTries(ledger.db, [one]);
    await recordTries(ledger.db, [one]);
    expect(await tries()).to.deep.equal([500]);
  });

  it('is sent again where it is delivered at the moment of the request, and stays delivered', async () => {
    const claimed = await claim();
    await whileHeld(
      context,
      (sql) => recordTries(sql, [ended(claimed, 200)]),
      () => [resend()],
    );
    const statuses = await ledger.rows('select status from deliveries order by id');
    expect(statuses).to.deep.equal([{ status: 'delivered' }, { status: 'pending' }]);
  });

  it('is timed from its event at its first try, and not where it is sent again after that', async () => {
    await record(await claim(), 200);
    const [job] = await resend();
    id = job!.id!;
    await record(await claim(), 200);
    const timed = await ledger.rows(
      'select since_event_ms is not null as is_timed from delivery_tries order by delivery_id',
    );
    expect(timed).to.deep.equal([{ is_timed: true }, { is_timed: false }]);
  });

  describe('to an endpoint', () => {
    it('leaves the time since which events were missed, where it is disabled again before they are sent', async () => {
      ledger.clock.advance(HOUR);
      await cancel(await claim());
      await disable('gone');
      const { missed_since: missedSince } = await endpoint();
      await ledger.rows(`update webhook_endpoints set status = 'enabled'`);
      ledger.clock.advance(HOUR);
      await disable('gone');
      expect((await endpoint()).missed_since).to.deep.equal(missedSince);
    });

    for (const [title, report] of [
      ['leaves the time of the first, where two disable it', () => disable('gone')],
      ['leaves the time of its first failure, where two report one', fail],
    ] as const)
      it(title, async () => {
        await report();
        const before = await endpoint();
        await report();
        expect(await endpoint()).to.deep.equal(before);
      });

    it('leaves it enabled, where it succeeded since the failures were counted', async () => {
      await fail();
      await record(await claim(), 200);
      await disable('failing');
      expect(await endpoint()).to.include({ status: 'enabled' });
    });

    it('stays delivered, where that is recorded at the moment its endpoint is disabled', async () => {
      const claimed = await claim();
      await whileHeld(
        context,
        (sql) => recordTries(sql, [ended(claimed, 200)]),
        () => [disable('gone')],
      );
      expect(await delivery()).to.include({ status: 'delivered' });
    });
  });
});
