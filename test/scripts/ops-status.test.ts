import { expect } from 'chai';
import { countAttention } from '../../domain/attention.ts';
import { countDueRows } from '../../domain/shared/due-groups.ts';
import { findFailingRows } from '../../domain/shared/failing-rows.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { newCharge, openCharge, paidCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { addDelivery } from '../support/deliveries.ts';
import { addDiscrepancy } from '../support/discrepancies.ts';
import { rawRequest } from '../support/raw-http.ts';
import { writingNothing } from '../support/row-counts.ts';
import { useStack } from '../support/stack.ts';
import { opsOf } from './ops-fixture.ts';

describe('npm run ops -- status', () => {
  const stack = useStack();
  before(async () => {
    await paidCharge(stack);
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
  });

  const status = opsOf(stack, 'status');

  it('shows queues, deliveries, calls of running processes and what waits for a person', async () => {
    const address = stack.origin;
    const shown = await writingNothing(stack, () => status.object('--json', '--process', address));
    expect(shown.migrations.pending).to.equal(0);
    expect(shown.queue_store).to.deep.equal({ kind: 'postgres', reachable: true });
    const none = { due_rows: 0, oldest_due_seconds: 0 };
    expect(shown.queues[0]).to.deep.equal({ queue: 'charge-create', ...none });
    expect(shown.attention).to.deep.equal({
      ...{ reviews: 1, refunds: 0, discrepancies: 0, books: 0, disputes: 0 },
      ...{ disabled_endpoints: 0, refused_connections: 0, unfinished_imports: 0 },
    });
    expect(shown.processes).to.deep.equal([{ address, error: null }]);
    const [calls] = shown.provider_calls;
    expect(calls).to.include({ provider: 'paystack', mode: 'sandbox', open_breakers: 0 });
    expect(calls.outcomes.answered).to.be.greaterThan(3);
    expect(calls.lowest_budget_left).to.be.within(0.9, 1);
  });

  it('prints the same for people, and says which process did not answer', async () => {
    const { stdout: text } = await status();
    expect(text).to.match(/charge-create {10}nothing due/);
    expect(text).to.match(/1 {2}payments in review/);
    expect(text).to.match(/not known of http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED/);
  });

  it('counts where the journal is wrong, as its figure does', async () => {
    expect(await figures('pcs_books_wrong')).to.deep.equal(['pcs_books_wrong 0']);
    await addDiscrepancy(stack);
    await addDiscrepancy(stack, { kind: 'books' });
    await addDiscrepancy(stack, { kind: 'books', status: 'resolved' });
    const { attention } = await status.object('--json');
    expect(attention).to.include({ discrepancies: 2, books: 1 });
    expect(await figures('pcs_books_wrong')).to.deep.equal(['pcs_books_wrong 1']);
    await stack.sql`delete from discrepancies`;
  });

  it('counts due rows up to a limit, and none that wait for later', async () => {
    const { db } = stack.context;
    const now = stack.clock();
    for (const minutes of [-3, -2, -1, 60]) {
      const id = await addDelivery(stack, { status: 'pending' });
      await db.query(
        `update deliveries set due_at = $2::timestamptz + $3 * interval '1 minute' where id = $1`,
        [id, now, minutes],
      );
    }
    const count = (most: number) => countDueRows(db, 'webhook-deliver', now, most);
    expect([await count(10), await count(2)]).to.deep.equal([3, 2]);
    await db.query(`update deliveries set due_at = null, status = 'cancelled'`);
  });

  it('finds what waits for a person, and rows that fail, by indexes that hold nothing else', async () => {
    await stack.context.db.transaction(async (session) => {
      await session.query('set local enable_seqscan = off');
      const plans: string[] = [];
      const explaining: Sql = {
        async query<Row>(text: string, values?: readonly unknown[]) {
          const plan = await session.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
          plans.push(...plan.map((line) => line['QUERY PLAN']));
          return [] as Row[];
        },
      };
      await countAttention(explaining, 100);
      expect(plans.join('\n')).to.not.include('Seq Scan').and.not.include('Filter');
      plans.length = 0;
      await findFailingRows(explaining, 100);
      const scans = plans.filter((line) => line.includes('Scan') && !line.includes('Subquery'));
      expect(scans).to.have.length.at.least(5);
      for (const scan of scans)
        expect(scan).to.match(/Index Scan.* using \w+_(failing|failures_idx\d*) /);
    });
  });

  const named = async () => (await status.object('--json')).failing_rows;
  const figures = async (name: string) => {
    const authorization = `Basic ${Buffer.from('operator:operator-password').toString('base64')}`;
    const { text } = await rawRequest(stack, { path: '/metrics', headers: { authorization } });
    return text.split('\n').filter((line) => line.startsWith(name));
  };
  const setCredentials = (sql: string) =>
    stack.context.db.query(`update connections set credentials = ${sql}`);

  it('names a row that always throws after its ninth failure, as the figure of the alert does, until it succeeds', async () => {
    await setCredentials(`'spoilt.' || credentials`);
    const charge = await newCharge(stack);
    await stack.settle();
    for (let failures = 2; failures <= 8; failures++) await stack.pass(5 * MINUTE);
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt).to.include({ failures: 8, tries: 8 });
    expect([await named(), await figures('pcs_row_failures')]).to.deep.equal([[], []]);

    await stack.pass(5 * MINUTE);
    const [row, ...others] = await named();
    expect(row).to.include({
      ...{ queue: 'charge-create', id: attempt!.id, group: attempt!.connection_id },
      ...{ tries: 9, failures: 9 },
    });
    const nextMs = Date.parse(row.next_try_at) - stack.clock().getTime();
    expect(nextMs).to.be.within(4 * MINUTE, 5 * MINUTE);
    expect(row.last_error).to.be.a('string').with.length.within(10, 300);
    expect(others).to.deep.equal([]);
    const { stdout: text } = await status();
    expect(text).to.include(`${attempt!.id} of ${attempt!.connection_id}: 9 failures in a row`);
    expect(text).to.include(`last error: ${row.last_error}`);
    expect(await figures('pcs_row_failures')).to.deep.equal([
      `pcs_row_failures{queue="charge-create",row="${attempt!.id}"} 9`,
    ]);

    await setCredentials(`replace(credentials, 'spoilt.', '')`);
    await stack.pass(5 * MINUTE);
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
    expect([await named(), await figures('pcs_row_failures')]).to.deep.equal([[], []]);
  });
});
