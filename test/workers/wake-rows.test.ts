import { expect } from 'chai';
import type { AttemptRow } from '../../domain/payments/attempt/row.ts';
import { wakeRows } from '../../workers/wake-rows.ts';
import { newCharge } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { useStack } from '../support/stack.ts';

describe('Waking rows that wait', () => {
  const stack = useStack({ workers: false });
  let nowMs: number;

  const attempts = () => stack.sql<AttemptRow>`select * from attempts order by id`;
  const waits = (id: string, forMs: number | null) => stack.sql`update attempts set tries = 3,
    due_at = ${forMs === null ? null : new Date(nowMs + forMs)} where id = ${id}`;

  it('makes them due 20 a second, none later than it was, and none that was claimed since', async () => {
    for (let made = 0; made < 24; made++) await newCharge(stack);
    nowMs = stack.clock().getTime();
    const ids = (await attempts()).map(({ id }) => id);
    for (const id of ids) await waits(id, 5 * MINUTE);
    const [soon, never, claimed] = ids.slice(20);
    await waits(soon!, 500);
    await waits(never!, null);
    const known = await attempts();
    const rows = known.map(({ id }) => ({ id, tries: id === claimed ? 2 : 3 }));
    const context = { ...stack.context, clock: () => new Date(nowMs) };
    await wakeRows(context, 'charge-create', { group: known[0]!.connection_id, rows });
    const after = (await attempts()).map(({ due_at }) => due_at && due_at.getTime() - nowMs);
    expect(after.slice(0, 20)).to.deep.equal(Array(20).fill(0));
    expect(after.slice(20)).to.deep.equal([500, null, 5 * MINUTE, SECOND]);
  });
});
