import { expect } from 'chai';
import { listNamedConnections } from '../../../domain/accounts/connection/connection.ts';
import { queues } from '../../../domain/jobs.ts';
import { figuresBetween } from '../../../domain/payments/figures/store.ts';
import { shownAs, shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import type { RefundStatus } from '../../../domain/payments/refund/transitions.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import { fillHistory, HISTORY_DAYS } from '../../../scripts/local/demo-history/fill-history.ts';
import { reconcileOne } from '../../../scripts/reconcile/run.ts';
import { useStack } from '../../support/stack.ts';

const running = new AbortController().signal;
const TABLES = ['charges', 'refunds', 'settlements', 'deliveries', 'members', 'payment_links'];

describe('The history of the demo tenant', function () {
  this.timeout(120_000); // a month takes long on a shared machine
  const stack = useStack({ payouts: true, workers: false });

  const statuses = async <Status = string>(table: string): Promise<Status[]> =>
    (await stack.context.db.query<{ status: Status }>(`select distinct status from ${table}`)).map(
      ({ status }) => status,
    );
  const counts = () => Promise.all(TABLES.map((table) => stack.count(table)));
  const days = () => {
    const today = inLagos(stack.clock());
    return { from: today.minus({ days: HISTORY_DAYS }).toISODate()!, to: today.toISODate()! };
  };

  it('leaves nothing behind when it is stopped half way', async () => {
    const before = await counts();
    const failure = await fillHistory(stack, stack.tenant, AbortSignal.abort()).catch(
      (error: Error) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect(await counts()).to.deep.equal(before);
  });

  it('is filled through the rules, and not a second time', async () => {
    expect(await fillHistory(stack, stack.tenant, running)).to.equal(true);
    const filled = await counts();
    expect(await fillHistory(stack, stack.tenant, running)).to.equal(false);
    expect(await counts()).to.deep.equal(filled);
    expect(await stack.count('charges')).to.be.greaterThan(150);
  });

  it('has charges, refunds, settlements, disputes, links and deliveries in every status', async () => {
    expect(await statuses('charges')).to.have.members([
      ...['initiated', 'pending', 'succeeded', 'settled', 'failed', 'refunded', 'disputed'],
    ]);
    const refunds = (await statuses<RefundStatus>('refunds')).map((status) => shownAs[status]);
    expect(refunds).to.include.members([...shownRefundStatuses]);
    expect(await statuses('disputes')).to.have.members(['open', 'won', 'lost']);
    expect(await statuses('settlements')).to.have.members(['expected', 'landed', 'short']);
    expect(await statuses('payment_links')).to.have.members([
      ...['active', 'paid', 'expired', 'disabled'],
    ]);
    expect(await statuses('deliveries')).to.include.members(['delivered', 'exhausted', 'pending']);
    expect(await statuses('reviews')).to.have.members(['open', 'accepted']);
    expect(await stack.sql`select 1 from charges where recovered`).to.have.length(1);
  });

  it('has the figures that its charges add up to', async () => {
    const { context, tenant } = stack;
    const { from, to } = days();
    const reader = { tenantId: tenant.tenant_id, mode: 'test' as const };
    const figures = await figuresBetween(context.db, reader, from, to);
    const sum = (name: 'succeeded' | 'failed' | 'collected_kobo' | 'fee_kobo' | 'refunded_kobo') =>
      figures.reduce((total, day) => total + day[name], 0);
    const [charges] = await context.db.query(
      `select count(*) filter (where paid)::int as succeeded,
         count(*) filter (where status = 'failed')::int as failed,
         sum(amount_kobo) filter (where paid)::bigint as collected_kobo,
         sum(fee_kobo) filter (where paid)::bigint as fee_kobo,
         sum(refunded_kobo) filter (where paid)::bigint as refunded_kobo
       from (select *, status in ('succeeded', 'settled', 'refunded', 'disputed') as paid
         from charges) as counted`,
    );
    expect({
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      collected_kobo: sum('collected_kobo'),
      fee_kobo: sum('fee_kobo'),
      refunded_kobo: sum('refunded_kobo'),
    }).to.deep.equal(charges);
    expect(new Set(figures.map(({ day }) => day)).size).to.be.greaterThan(HISTORY_DAYS - 3);
  });

  it('leaves the workers nothing to do at once but the payment that was just ordered', async () => {
    const [ordered] = await stack.sql<{ created_at: Date }>`select created_at from charges
      where status = 'initiated'`;
    const due = await Promise.all(
      Object.values(queues).map(({ table, where }) =>
        stack.context.db.query<{ id: string }>(
          `select id from ${table} where due_at <= $1 and ${where}`,
          [ordered!.created_at],
        ),
      ),
    );
    expect(due.flat().filter(({ id }) => !id.startsWith('ctk_'))).to.have.length(1);
  });

  it('agrees with the sandbox, but for the payout that is short', async () => {
    const { context, tenant } = stack;
    const connections = await listNamedConnections(context.db, tenant.tenant_id);
    const test = connections.filter(({ mode }) => mode === 'test');
    expect(test).to.have.length(3);
    for (const connection of test) {
      expect((await reconcileOne(context, connection, days(), running)).failure).to.equal(null);
    }
    expect(
      await context.db.query('select kind, status, slot, difference_kobo from discrepancies'),
    ).to.deep.equal([
      { kind: 'short', status: 'open', slot: 'provider_a', difference_kobo: 185_000 },
    ]);
  });
});
