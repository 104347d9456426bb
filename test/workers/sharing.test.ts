import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from '../../config/context.ts';
import { queues } from '../../domain/jobs.ts';
import { type SharedJobHandler, startSharing } from '../../workers/pool.ts';

const QUEUE = 'webhook-deliver';
const { concurrency } = queues[QUEUE];

describe('A job of many rows', () => {
  let lines: [level: string, line: any][];
  let inHand: Map<
    string,
    { end(told: { outcome: string; reason?: string }): void; fail(error: unknown): void }
  >;
  let sharing: ReturnType<typeof startSharing>;
  beforeEach(() => {
    lines = [];
    inHand = new Map();
    const log = {
      info: (_: string, line: object) => lines.push(['info', line]),
      error: (_: string, line: object) => lines.push(['error', line]),
    };
    const start: SharedJobHandler['start'] = () => (row) =>
      new Promise((end, fail) => {
        inHand.set(row.id, { end, fail });
      });
    sharing = startSharing({ log } as unknown as Context, { queue: QUEUE, start });
  });

  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, tries: 0 }));
  const endAll = (name: string) => {
    for (const [id, row] of inHand) if (id.startsWith(name)) row.end({ outcome: 'delivered' });
  };
  const told = (promise: Promise<unknown>) => promise.catch((error) => String(error));

  it('waits until there is place for all of them, and is told of in one line but for those with a reason', async () => {
    const first = sharing.work(rows('a', concurrency));
    const second = sharing.work(rows('b', 2));
    await turn();
    expect([...inHand.keys()].filter((id) => id.startsWith('b'))).to.deep.equal([]);
    endAll('a');
    expect(await first).to.deep.equal({ delivered: concurrency });
    await turn();
    inHand.get('b0')!.end({ outcome: 'pending', reason: 'HTTP 500' });
    inHand.get('b1')!.end({ outcome: 'skipped' });
    expect(await second).to.deep.equal({ pending: 1, skipped: 1 });
    const said = lines.map(([level, { row, rows: several, outcome, reason }]) => [
      level,
      row ?? several.length,
      outcome,
      reason,
    ]);
    expect(said).to.deep.equal([
      ['info', concurrency, 'delivered', undefined],
      ['info', 'b0', 'pending', 'HTTP 500'],
    ]);
  });

  it('of which one fails, whatever it throws, ends when the others have, and gives every place back', async () => {
    for (const error of [new Error('broken'), null, 'words']) {
      const job = told(sharing.work(rows('a', concurrency)));
      await turn();
      inHand.get('a0')!.fail(error);
      endAll('a');
      expect(await job).to.equal(String(error));
    }
    expect(
      lines.filter(([level]) => level === 'error').map(([, { row, outcome }]) => [row, outcome]),
    ).to.deep.equal(Array(3).fill(['a0', 'failed']));
  });

  it('is not begun by a process that stops, which ends what it has in hand', async () => {
    const first = sharing.work(rows('a', concurrency));
    const waiting = told(sharing.work(rows('b', 1)));
    await turn();
    sharing.stop();
    expect(await waiting).to.contain('left to others');
    expect(await told(sharing.work(rows('c', 1)))).to.contain('left to others');
    endAll('a');
    expect(await first).to.deep.equal({ delivered: concurrency });
    expect(inHand.size).to.equal(concurrency);
  });

  it('that holds none is done', async () => {
    expect(await sharing.work([])).to.deep.equal({});
  });
});
