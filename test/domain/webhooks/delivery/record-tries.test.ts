import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import { decideTry } from '../../../../domain/webhooks/delivery/decide-try.ts';
import { recordTries } from '../../../../domain/webhooks/delivery/record-tries.ts';
import {
  type DeliveryToSend,
  SELECT_DELIVERIES_TO_SEND,
} from '../../../../domain/webhooks/delivery/to-send.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { openListener } from '../../../flows/webhooks/fixture.ts';
import { startStack } from '../../../support/stack.ts';

describe('Tries of one delivery that are recorded at one moment', () => {
  it('have numbers in their order', async () => {
    await using stack = await startStack({ workers: false });
    await using listener = await openListener(stack);
    const { clock } = stack;
    const { db } = stack.context;
    await listener.publishEvents();
    const { id } = await listener.delivery();
    const claimed = async () => {
      const select = SELECT_DELIVERIES_TO_SEND;
      const row = await claimRow<DeliveryToSend>(db, 'webhook-deliver', { id }, clock(), select);
      return row!;
    };
    const ended = (delivery: DeliveryToSend, statusCode: number) => {
      const made = { at: clock(), durationMs: 1, statusCode, error: null, answer: '' };
      return {
        delivery,
        made,
        endedAt: clock(),
        decision: decideTry({ ...made, retryAfter: null }, delivery, clock(), 0),
      };
    };
    const first = ended(await claimed(), 500);
    clock.advance(queues['webhook-deliver'].leaseMs);
    const second = ended(await claimed(), 200);
    await recordTries(db, [second, first]);
    const { status, try_count, tries } = await listener.delivery();
    expect([status, try_count]).to.deep.equal(['delivered', 2]);
    expect(tries.map((made: any) => [made.try, made.status_code])).to.deep.equal([
      [1, 500],
      [2, 200],
    ]);
  });
});
