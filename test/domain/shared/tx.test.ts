import { expect } from 'chai';
import type { Job } from '../../../domain/jobs.ts';
import type { Session } from '../../../domain/shared/sql.ts';
import { inTxOf } from '../../../domain/shared/tx.ts';

const job = (id: string): Job => ({ queue: 'charge-check', id, group: 'con' });

describe('What a transaction enqueues', () => {
  let seen: string[];
  const database = (runs: (work: () => Promise<unknown>) => Promise<unknown>) =>
    inTxOf(
      {
        transaction: async <T>(work: (session: Session) => Promise<T>) => {
          const result = await runs(() => work({} as Session));
          seen.push('committed');
          return result as T;
        },
      },
      {} as never,
      () => new Date(),
      (jobs) => seen.push(...jobs.map(({ id }) => id!)),
    );
  beforeEach(() => {
    seen = [];
  });

  it('is enqueued after the commit, in its order, and the result of the function is returned', async () => {
    const inTx = database((work) => work());
    const result = await inTx(async ({ enqueue }) => {
      enqueue(job('first'), job('second'));
      enqueue(job('third'));
      return 'result';
    });
    expect(result).to.equal('result');
    expect(seen).to.deep.equal(['committed', 'first', 'second', 'third']);
  });

  it('is forgotten where it does not commit', async () => {
    const inTx = database(async (work) => {
      await work();
      throw new Error('no commit');
    });
    const outcome = await inTx(async ({ enqueue }) => enqueue(job('lost'))).catch(String);
    expect(outcome).to.equal('Error: no commit');
    expect(seen).to.deep.equal([]);
  });

  it('by a run that a deadlock ended is not enqueued: only the next run counts', async () => {
    let runs = 0;
    const inTx = database(async (work) => {
      await work();
      return work();
    });
    await inTx(async ({ enqueue }) => {
      runs += 1;
      enqueue(job(`run ${runs}`));
    });
    expect(seen).to.deep.equal(['committed', 'run 2']);
  });
});
