import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listNamedConnections } from '../../../domain/accounts/connection/connection.ts';
import { queues } from '../../../domain/jobs.ts';
import { figuresBetween } from '../../../domain/payments/figures/store.ts';
import { shownAs, shownRefundStatuses } from '../../../domain/payments/refund/row.ts';
import type { RefundStatus } from '../../../domain/payments/refund/transitions.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import { fillHistory, HISTORY_DAYS } from '../../../scripts/local/demo-history/fill-history.ts';
import { demoTenant } from '../../../scripts/local/demo-tenant.ts';
import { reconcileOne } from '../../../scripts/reconcile/run.ts';
import { registerSandboxAccounts } from '../../../scripts/sandbox-tenant.ts';
import { answeredBalances, bookkeepers } from '../../support/bookkeeping.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { useStack } from '../../support/stack.ts';

const running = new AbortController().signal;
const providers = { provider_a: 'Paystack', provider_b: 'Flutterwave', provider_c: 'Monnify' };
const TABLES = ['charges', 'refunds', 'settlements', 'deliveries', 'members', 'payment_links'];

describe('The demo', function () {
  this.timeout(120_000); // a month takes long on a shared machine
  const stack = useStack({ payouts: true, workers: false });

  describe('has a history that', () => {
    const statuses = async <Status = string>(table: string): Promise<Status[]> =>
      (
        await stack.context.db.query<{ status: Status }>(`select distinct status from ${table}`)
      ).map(({ status }) => status);
    const counts = () => Promise.all(TABLES.map((table) => stack.count(table)));
    const days = () => {
      const today = inLagos(stack.clock());
      return { from: today.minus({ days: HISTORY_DAYS }).toISODate()!, to: today.toISODate()! };
    };

    // Then the cards of the day before are just paid out: fewest charges wait for their settlement.
    before('on a Friday at a quarter past twelve', () => {
      const now = inLagos(stack.clock());
      const friday = now.startOf('week').plus({ weeks: 1, days: 4, hours: 12.25 });
      stack.clock.advance(+friday - +now);
    });

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
      expect(await statuses('deliveries')).to.include.members([
        'delivered',
        'exhausted',
        'pending',
      ]);
      expect(await statuses('reviews')).to.have.members(['open', 'accepted']);
      expect(await stack.sql`select 1 from charges where recovered`).to.have.length(1);
    });

    it('has the figures that its charges add up to', async () => {
      const { context, tenant } = stack;
      const { from, to } = days();
      const reader = { tenantId: tenant.tenant_id, mode: 'test' as const };
      const figures = await figuresBetween(context.db, reader, from, to);
      const sum = (
        name: 'succeeded' | 'failed' | 'collected_kobo' | 'fee_kobo' | 'refunded_kobo',
      ) => figures.reduce((total, day) => total + day[name], 0);
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

    for (const { name, isInstalled, balances } of bookkeepers)
      it(`has books that ${name} reads, with the balances of the API at their end`, async function () {
        if (!isInstalled()) this.skip();
        const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
        const today = inLagos(stack.clock()).startOf('day');
        const [from, to] = [today.minus({ days: 20 }), today.minus({ days: 10 })];
        const span = `?from=${from.toISODate()}&to=${to.toISODate()}`;
        const end = encodeURIComponent(to.plus({ days: 1 }).toISO()!);
        for (const [days, moment] of [
          ['', ''],
          [span, `?at=${end}`],
        ]) {
          const { html: text } = await viewer.get(`/journal.txt${days}`);
          const { json } = await stack.api.get(`/balances${moment}`);
          expect(json.data).to.have.length(3);
          expect(await balances(text)).to.deep.equal(answeredBalances(json.data, providers));
        }
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
      const found = await stack.sql`select kind, status, slot, difference_kobo from discrepancies`;
      const short = { kind: 'short', status: 'open', slot: 'provider_a', difference_kobo: 185_000 };
      expect(found).to.deep.equal([short]);
    });
  });

  describe('has a tenant that', () => {
    let dir: string;
    before(async () => {
      dir = await mkdtemp(join(tmpdir(), 'payments-demo-'));
    });
    after(() => rm(dir, { recursive: true, force: true }));

    const found = () =>
      demoTenant(stack.context, join(dir, 'demo-tenant.json'), `${stack.receiver.url}/webhooks`);
    const connections = (tenantId: string) =>
      stack.sql`select mode, slot, adapter, sandbox, position from connections
        where tenant_id = ${tenantId} order by slot`;

    it('has a sandbox connection in test mode for every slot with a provider, those that got one later too, and none in live', async () => {
      const { slots } = stack.context.env;
      const all = { ...slots };
      Object.assign(slots, { provider_b: null, provider_c: null });
      const first = await found();
      const paystack = {
        ...{ mode: 'test', slot: 'provider_a', adapter: 'paystack', sandbox: true, position: 0 },
      };
      expect(await connections(first.tenant_id)).to.deep.equal([paystack]);
      Object.assign(slots, all);
      for (const time of ['second', 'third']) {
        expect(await found(), `the ${time} start keeps the keys`).to.deep.equal(first);
        expect(await connections(first.tenant_id)).to.deep.equal([
          paystack,
          { ...paystack, slot: 'provider_b', adapter: 'flutterwave', position: 1 },
          { ...paystack, slot: 'provider_c', adapter: 'monnify', position: 2 },
        ]);
      }
      await registerSandboxAccounts(stack.context);
    });

    it('can be charged through each of them', async () => {
      const { secret_key_test: key } = await found();
      const order = { amount_kobo: 250_000, email: 'ada@example.com' };
      const charge = (fields: object) =>
        stack.api.post('/charges', { ...order, ...fields }, { key });
      for (const provider of ['provider_a', 'provider_b', 'provider_c']) {
        const { status, json } = await charge({ provider });
        expect([status, json.provider]).to.deep.equal([201, provider]);
      }
      expect((await charge({})).json.provider).to.equal('provider_a');
    });
  });
});
