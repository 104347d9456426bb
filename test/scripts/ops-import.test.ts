import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { settlementContext } from '../../config/settlement-context.ts';
import { findConnection } from '../../domain/accounts/connection/connection.ts';
import { importAccount } from '../../domain/import-account.ts';
import type { Terminal } from '../../scripts/command-line.ts';
import { importCommand } from '../../scripts/ops/import.ts';
import { expectBooks } from '../support/books.ts';
import { newCharge } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { dashboardMember } from '../support/dashboard.ts';
import { openProviderAccount, type ProviderAccountFixture } from '../support/provider-account.ts';
import { useStack } from '../support/stack.ts';
import { opsOf } from './ops-fixture.ts';

describe('npm run ops -- import', () => {
  const stack = useStack({ payouts: true });
  const ops = opsOf(stack, 'import');

  /** At the time of the stack. */
  const importTo = async (
    { stack: { tenant } }: ProviderAccountFixture,
    { stopped = new AbortController().signal, provider = 'paystack' } = {},
  ) => {
    const options = { tenant: tenant.tenant_id, provider, mode: 'test' };
    const terminal = { stderr: new PassThrough(), stopped } as unknown as Terminal;
    const given = { ...options, from: '2015-01-01' } as never;
    return (await importCommand.run(stack.context, given, '', terminal)).object;
  };
  const takeElsewhere = async ({ accountId }: ProviderAccountFixture, ...references: string[]) => {
    for (const reference of references)
      await stack.control.stranger(accountId, {
        ...{ provider: 'paystack', reference, amount_kobo: 500_000 },
      });
  };

  it('brings in what was paid, sent back and paid out, told to nobody, and once', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { api, sql } = account.stack;
    await takeElsewhere(account, 'order-1', 'order-2', 'order-3');
    const [ours] = await account.payCharges(200_000);
    await account.payOutAndReconcile();
    const [landed] = await account.settlements();
    await takeElsewhere(account, 'order-4', 'order-5');
    await stack.control.refundNow('order-2', 100_000);
    await stack.control.reverse('order-5');
    await stack.settle();
    const told = async () => sql`select type, subject_id from events order by id`;
    const before = await told();

    expect(await importTo(account)).to.deep.equal({ payments: 5 });
    expect(await importTo(account)).to.deep.equal({ payments: 0 });
    await stack.settle();
    const { json } = await api.get('/transactions?limit=100');
    const byReference = json.data.map((each: any) => [
      ...[each.merchant_reference ?? each.reference, each.status, each.refunded_kobo],
      ...[each.fee_kobo > 0, each.settlement_id === landed!.id, each.customer.email],
    ]);
    const imported = json.data.find((one: any) => one.merchant_reference === 'order-1');
    const timeline = (await api.get(`/charges/${imported.reference}/timeline`)).json.data;
    expect(timeline.map(({ what }: { what: string }) => what)).to.include('charge.imported');
    const payer = 'walk-in@example.com';
    expect(byReference.sort()).to.deep.equal([
      [ours!.reference, 'settled', 0, true, true, 'payer@example.com'],
      ['order-1', 'settled', 0, true, true, payer],
      ['order-2', 'settled', 100_000, true, true, payer],
      ['order-3', 'settled', 0, true, true, payer],
      ['order-4', 'succeeded', 0, true, false, payer],
      ['order-5', 'refunded', 500_000, true, false, payer],
    ]);
    expect(await told()).to.deep.equal(before);
    const viewer = await dashboardMember(stack, account.stack.tenant, 'viewer');
    const { html } = await viewer.get(`/transactions/${json.data[0].reference}`);
    expect(html).to.include('>Imported</span>');
    expect((await viewer.get('/customers?text=walk')).html).to.include(payer);
    expect(await account.referencesOf(landed!)).to.have.lengthOf(4);
    expect(await account.discrepancies('open')).to.deep.equal([]);
    await expectBooks(stack.context.db);
  });

  it('leaves what becomes of payments and payouts of the service to be told', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { sql, tenant } = account.stack;
    await takeElsewhere(account, 'order-8');
    const [ours] = await account.payCharges(200_000);
    await account.passToPayday();
    await account.payOut();
    await stack.control.refundNow(ours!.reference, 50_000);
    await importTo(account);
    await stack.settle();
    const told = await sql<{ type: string }>`select type from events
      where tenant_id = ${tenant.tenant_id} order by type`;
    expect(told.map(({ type }) => type)).to.deep.equal([
      'charge.succeeded',
      'refund.completed',
      'settlement.landed',
    ]);
  });

  it('finds what its provider reverses later, without a notification', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    await takeElsewhere(account, 'order-9');
    await importTo(account);
    await account.passNight();
    await stack.control.reverse('order-9', { notify: false });
    await account.passNight();
    const [payment] = (await account.stack.api.get('/transactions')).json.data;
    expect(payment).to.include({ status: 'refunded', refunded_kobo: 500_000 });
  });

  it('does not pass a payment with the reference of a charge for that charge', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    await takeElsewhere(account, 'order-11');
    const charge = await newCharge(account.stack, { reference: 'order-11', amount_kobo: 700_000 });
    await importTo(account);
    const { json } = await account.stack.api.get('/charges?merchant_reference=order-11');
    expect(json.reference).to.equal(charge.reference);
  });

  it('is not overtaken by the round that would miss the payouts of past payments', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { connectionId } = account;
    await takeElsewhere(account, 'order-10');
    const connection = (await findConnection(stack.context.db, connectionId))!;
    await stack.sql`update connection_tasks
      set due_at = ${new Date(stack.context.clock().getTime() + 15 * MINUTE)}
      where connection_id = ${connectionId} and task = 'settlements'`;
    const isDue: boolean[] = [];
    const past = importAccount(
      {
        ...(await settlementContext(stack.context, connectionId, Number.POSITIVE_INFINITY)),
        account: connection,
        provider: stack.context.providerOf(connection, 'list'),
        async patiently(call) {
          const answer = await call();
          stack.clock.advance(10 * MINUTE);
          const [task] = await stack.sql<{ due_at: Date }>`select due_at from connection_tasks
            where connection_id = ${connectionId} and task = 'settlements'`;
          isDue.push(task!.due_at <= stack.context.clock());
          return answer;
        },
      },
      new Date(0),
    );
    for await (const _page of past);
    expect(isDue).to.deep.equal([false, false, false]);
  });

  it('goes on where it was stopped, and beside another', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    await takeElsewhere(account, 'order-6', 'order-7');
    const refusal = await importTo(account, { stopped: AbortSignal.abort() }).catch(String);
    expect(refusal).to.equal(
      'Problem: Stopped after 0 payments, from 0 pages of lists. Run it again to go on.',
    );
    const other = await importTo(account, { provider: 'monnify' }).catch(String);
    expect(other).to.include('The past of a monnify account cannot be read.');
    const both = await Promise.all([importTo(account), importTo(account)]);
    const recorded = both.map((done) => (done as { payments: number }).payments);
    expect(recorded.sort()).to.deep.equal([0, 2]);
    expect((await account.stack.api.get('/transactions')).json.data).to.have.lengthOf(2);
  });

  it('says in one sentence what it cannot import', async () => {
    const { tenant_id: tenant } = stack.tenant;
    await ops.refusals([
      [`--tenant ${tenant} --provider stripe`, '--provider must be one of paystack'],
      [`--tenant con_1 --provider paystack`, 'con_1 is no tenant'],
      [`--tenant ${tenant} --provider paystack --mode test --from today`, '--from must be a day'],
      [`--tenant ${tenant} --provider paystack`, 'has no paystack account in live mode'],
    ]);
  });
});
