import { expect } from 'chai';
import { findConnection, recordPause } from '../../domain/accounts/connection/connection.ts';
import { answerCalls } from '../support/answer-calls.ts';
import { newCharge } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { startStack } from '../support/stack.ts';

describe('A call budget that is used up', () => {
  it('delays payments: no try is used up and no charge fails', async () => {
    await using stack = await startStack({
      env: { budgets: { sandbox: { test: { perMinute: 3 } } } },
    });
    const charges = [];
    for (let made = 0; made < 5; made++) charges.push(await newCharge(stack));
    await stack.settle();
    const attempts = await stack.context.db.query<Record<string, unknown>>(
      'select * from attempts order by status, id',
    );
    expect(attempts.map(({ status }) => status)).to.deep.equal([
      'open',
      'open',
      'open',
      'queued',
      'queued',
    ]);
    for (const waiting of attempts.slice(3))
      expect(waiting).to.include({ tries: 1, snoozes: 1, sent_at: null });
    expect((await stack.control.stats()).paystack!.creates).to.equal(3);
    expect(stack.context.openBreakers()).to.deep.equal([]);
  });
});

/** Answers every call to providers with a 429, and counts the creates, until disposed of. */
function tooManyRequests(retryAfter: number): { count: number } & Disposable {
  const calls = { count: 0 };
  const answering = answerCalls(async (url) => {
    if (url.endsWith('/transaction/initialize')) calls.count++;
    return Response.json(
      { status: false, message: 'Too many requests' },
      { status: 429, headers: { 'retry-after': String(retryAfter) } },
    );
  });
  return Object.assign(calls, answering);
}

describe('A provider that takes no more calls', () => {
  it('gets none until the time it named, and no try is used up', async () => {
    await using stack = await startStack({ workers: false });
    const charge = await newCharge(stack);
    const attempts = () =>
      stack.context.db.query<Record<string, any>>('select * from attempts order by id');
    const connection = async () =>
      (await findConnection(stack.context.db, (await attempts())[0]!.connection_id))!;
    stack.startWorkers();
    {
      using calls = tooManyRequests(120);
      await stack.settle();
      expect(calls.count).to.equal(1);
      expect((await attempts())[0]).to.include({ tries: 1, snoozes: 1, sent_at: null });
      const dueMs = (await attempts())[0]!.due_at.getTime() - stack.clock().getTime();
      expect(dueMs).to.be.within(100 * SECOND, 150 * SECOND);
      await newCharge(stack);
      stack.clock.advance(60 * SECOND);
      await stack.settle();
      expect(calls.count, 'another charge of the connection').to.equal(1);
    }
    const { calls_paused: paused } = await connection();
    expect(Object.keys(paused!)).to.deep.equal(['all']);
    stack.clock.advance(120 * SECOND);
    await stack.settle();
    expect((await attempts()).map(({ status }) => status)).to.deep.equal(['open', 'open']);
    expect(charge.status).to.equal('open');
  });

  it('is never paused for less than it said before', async () => {
    await using stack = await startStack({ workers: false });
    const { db } = stack.context;
    const [{ id }] = (await db.query<{ id: string }>('select id from connections limit 1')) as [
      { id: string },
    ];
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    for (const minute of [10, 5, 12]) await recordPause(db, id, 'all', at(minute));
    await recordPause(db, id, 'create', at(1));
    expect((await findConnection(db, id))!.calls_paused).to.deep.equal({
      all: at(12).toISOString(),
      create: at(1).toISOString(),
    });
  });
});
