import { expect } from 'chai';
import { queues, type RowQueue } from '../../../domain/jobs.ts';
import { hastenRows, settleRows } from '../../../domain/shared/due-rows.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { recordTries } from '../../../domain/webhooks/delivery/record-tries.ts';
import { cancelDeliveries } from '../../../domain/webhooks/delivery/to-send.ts';
import { usePlans } from '../../support/plans.ts';

describe('Rows that are given are looked up by their ids on tables without statistics', () => {
  const plans = usePlans(async () => {});

  // A plan that reads all that is pending is kept until the table, or the partition of a new day, is
  // analyzed.
  async function expectByIds(work: (sql: Sql) => Promise<unknown>): Promise<void> {
    const plan = await plans.linesOf(work);
    const conditions = plan.filter((line) => line.includes('Index Cond'));
    expect(conditions).to.not.be.empty;
    for (const condition of conditions) expect(condition).to.match(/\((delivery_)?id = /);
    expect(plan.join('\n')).to.not.include('Seq Scan');
  }

  for (const queue of Object.keys(queues) as RowQueue[]) {
    it(`where rows of ${queue} are settled`, () =>
      expectByIds((sql) => settleRows(sql, queue, [])));
    it(`where rows of ${queue} become due sooner`, () =>
      expectByIds((sql) => hastenRows(sql, queue, [])));
  }

  it('where tries of webhooks are recorded', () => expectByIds((sql) => recordTries(sql, [])));

  it('where deliveries are cancelled', () =>
    expectByIds((sql) => cancelDeliveries(sql, [], new Date())));
});
