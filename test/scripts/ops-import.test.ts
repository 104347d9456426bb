import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { settlementContext } from '../../config/settlement-context.ts';
import { findConnection } from '../../domain/accounts/connection/connection.ts';
import { countAttention } from '../../domain/attention.ts';
import { importAccount } from '../../domain/import-account.ts';
import type { Terminal } from '../../scripts/command-line.ts';
import { importCommand } from '../../scripts/ops/import.ts';
import { expectBooks } from '../support/books.ts';
import { newCharge } from '../support/charges.ts';
import { DAY } from '../support/clock.ts';
import { dashboardMember } from '../support/dashboard.ts';
import {
  type Json,
  openProviderAccount,
  type ProviderAccountFixture,
} from '../support/provider-account.ts';
import { sandboxRefunds } from '../support/sandbox-store.ts';
import { useStack } from '../support/stack.ts';
import { opsOf } from './ops-fixture.ts';

type Given = { stopped?: AbortSignal; provider?: string; connection?: string };

describe('npm run ops -- import', () => {
  const stack = useStack({ payouts: true });
  const ops = opsOf(stack, 'import');

  /** At the time of the stack, with the rounds that it makes due. */
  const runImport = async (
    { stack: { tenant } }: ProviderAccountFixture,
    { stopped = new AbortController().signal, ...given }: Given = {},
  ) => {
    const stderr = new PassThrough({ encoding: 'utf8' });
    const terminal = { stderr, stopped, exitCode: 0 } as unknown as Terminal;
    const options = { tenant: tenant.tenant_id, provider: 'paystack', mode: 'test', ...given };
    const dated = { ...options, from: '2015-01-01' } as never;
    const { object } = await importCommand.run(stack.context, dated, '', terminal);
    await stack.settle();
    return { ...object, exitCode: terminal.exitCode, words: String(stderr.read() ?? '') };
  };
  const importTo = async (...given: Parameters<typeof runImport>) => {
    const { payments } = (await runImport(...given)) as unknown as { payments: number };
    return payments;
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

    expect(await importTo(account)).to.equal(5);
    expect(await importTo(account)).to.equal(0);
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

  it('leaves out what cannot be read, names it, and brings it in once it can', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { store } = stack.sandbox;
    await takeElsewhere(account, 'order-12', 'order-13', 'order-14', 'order-15');
    for (const reference of ['order-13', 'order-14'])
      await stack.control.refundNow(reference, 100_000);
    const [payment, strange] = ['order-12', 'order-15'].map(
      (reference) => store.payment.find(`reference ${reference}`)[0]!,
    );
    const [refund] = sandboxRefunds(stack, { reference: 'order-13' });
    store.payment.change(payment!, { paidKobo: 0.5 });
    store.payment.change(strange!, { status: 'frozen' as never });
    store.refund.change(refund!, { amountKobo: 0.5 });
    expect(await runImport(account)).to.deep.equal({
      ...{ payments: 2, left_out: 3, exitCode: 3 },
      words: [
        `Left out: payment ${strange!.id}: its status is not known: ""`,
        `Left out: payment ${payment!.id}: an amount is not whole kobo: "0.5"`,
        `Left out: refund ${refund!.id}: an amount is not whole kobo: "0.5"\n`,
      ].join('\n'),
    });
    store.payment.change(payment!, { paidKobo: 500_000 });
    store.payment.change(strange!, { status: 'paid' });
    store.refund.change(refund!, { amountKobo: 100_000 });
    const whole = { payments: 2, left_out: 0, exitCode: 0, words: '' };
    expect(await runImport(account)).to.deep.equal(whole);
    const { json } = await account.stack.api.get('/transactions');
    const refunded = json.data.map((one: any) => [one.merchant_reference, one.refunded_kobo]);
    expect(refunded.sort()).to.deep.equal([
      ['order-12', 0],
      ['order-13', 100_000],
      ['order-14', 100_000],
      ['order-15', 0],
    ]);
  });

  it('does not let one that was stopped call payments of the past not paid out', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { connectionId } = account;
    await takeElsewhere(account, 'order-10', 'order-17');
    await account.passToPayday();
    await account.payOut({ leave_out: ['order-17'], notify: false });
    await account.passTime(20 * DAY);
    const [ours] = await account.payCharges(200_000);
    const connection = (await findConnection(stack.context.db, connectionId))!;
    const stopped = importAccount(
      {
        ...settlementContext(
          stack.context,
          (await findConnection(stack.context.db, connectionId))!,
          Number.POSITIVE_INFINITY,
        ),
        account: connection,
        provider: stack.context.providerOf(connection, 'list'),
        patiently: (call) => call(),
      },
      new Date(0),
    );
    expect(await stopped.next()).to.have.nested.property('value.payments', 2);
    await account.passTime(6 * DAY);
    const missing = async () => {
      const { data } = (await account.stack.api.get('/discrepancies?status=open')).json;
      return data.map(({ kind, amount_kobo: kobo }: Json) => [kind, kobo]);
    };
    const unfinished = async () => (await countAttention(stack.context.db, 9)).unfinished_imports;
    const netOf = async (reference: string) => {
      const [net] = await stack.sql<{ kobo: number }>`select k.amount_kobo - k.fee_kobo as kobo
        from captures k join charges c on c.id = k.charge_id
        where c.connection_id = ${connectionId}
          and ${reference} in (c.merchant_reference, 'SV-' || c.number)`;
      return net!.kobo;
    };
    const oursMissing = ['missing', await netOf(ours!.reference)];
    const pastMissing = ['missing', await netOf('order-17')];
    expect([await missing(), await unfinished()]).to.deep.equal([[oursMissing], 1]);
    await importTo(account);
    expect([await missing(), await unfinished()]).to.deep.equal([[pastMissing, oursMissing], 0]);
  });

  it('asks which account is meant where a business has several', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const { sql, tenant } = account.stack;
    const [other] = await sql<{ id: string }>`update connections set adapter = 'paystack'
      where tenant_id = ${tenant.tenant_id} and slot = 'provider_b' returning id`;
    const words = `--tenant ${tenant.tenant_id} --provider paystack --mode test`;
    await ops.refusals([
      [
        words,
        `2 paystack accounts in test mode. Name one with --connection: ${account.connectionId}, ${other!.id}.`,
      ],
      [`${words} --connection con_1`, 'has no paystack con_1 in test mode'],
    ]);
    await takeElsewhere(account, 'order-18');
    expect(await importTo(account, { connection: account.connectionId })).to.equal(1);
  });

  it('keeps no evidence that is older than evidence is kept', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    const ago = (days: number) => new Date(stack.clock().getTime() - days * DAY).toISOString();
    for (const [reference, days] of [
      ['order-19', 401],
      ['order-20', 399],
    ] as const)
      await stack.control.stranger(account.accountId, {
        ...{ provider: 'paystack', reference, amount_kobo: 500_000, at: ago(days) },
      });
    await importTo(account);
    const kept = await stack.sql`select c.merchant_reference as reference,
        exists (select from evidence e where e.charge_id = c.id) as has_evidence
      from charges c where c.tenant_id = ${account.stack.tenant.tenant_id} order by reference`;
    expect(kept).to.deep.equal([
      { reference: 'order-19', has_evidence: false },
      { reference: 'order-20', has_evidence: true },
    ]);
  });

  it('goes on where it was stopped, and beside another', async () => {
    const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    await takeElsewhere(account, 'order-6', 'order-7');
    const refusal = await importTo(account, { stopped: AbortSignal.abort() }).catch(String);
    expect(refusal).to.equal(
      'Problem: Stopped after 0 payments, from 0 pages of lists. Run it again to go on.',
    );
    const other = await importTo(account, { provider: 'monnify' }).catch(String);
    expect(other).to.include('a monnify account cannot be read. Monnify has no list of payouts');
    const both = await Promise.all([importTo(account), importTo(account)]);
    expect(both.sort()).to.deep.equal([0, 2]);
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
