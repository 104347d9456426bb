import { expect } from 'chai';
import { prepareTotp } from '../../domain/accounts/second-factor/second-factor.ts';
import { writeMail } from '../../domain/mail/write-mail.ts';
import { sealedColumns } from '../../domain/sealed-columns.ts';
import { resealColumn } from '../../domain/shared/sealed-columns.ts';
import { openVault } from '../../domain/shared/vault.ts';
import { ops as program } from '../../scripts/ops/program.ts';
import { openCharge, stored } from '../support/charges.ts';
import { DAY } from '../support/clock.ts';
import { addDispute } from '../support/disputes.ts';
import { memberOf } from '../support/members.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { refresh, signIn } from '../support/tokens.ts';
import { settingsOf } from './ops-fixture.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte);
const [OLD, NEW] = [`test:${keyOf(7).toString('base64')}`, `new:${keyOf(8).toString('base64')}`];

describe('npm run ops -- keys', () => {
  const stack = useStack();
  before(() => sealEverywhere());

  const keys = (verb: string, masterKey: string) =>
    runHere(program, ['keys', verb, '--json'], { ...settingsOf(stack), MASTER_KEY: masterKey });
  const statusWith = async (masterKey: string) => {
    const { code, stdout, stderr } = await keys('status', masterKey);
    expect(code, stderr).to.equal(0);
    const { data } = JSON.parse(stdout) as {
      data: { id: string; sealed: number; state: string }[];
    };
    return Object.fromEntries(data.map(({ id, sealed, state }) => [id, { sealed, state }]));
  };

  async function sealEverywhere(): Promise<void> {
    const { tenant, context, api } = stack;
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { notify: true });
    await stack.settle();
    const owner = await memberOf(stack, tenant, 'owner');
    const { tenant_id: tenantId } = tenant;
    const { memberId } = owner;
    await context.inTx((tx) => prepareTotp(tx, { tenantId, memberId }));
    const dueAt = new Date(Date.now() + DAY);
    const invitation = { kind: 'invitation' as const, tenantId, memberId, mode: null, dueAt };
    await context.inTx((tx) =>
      writeMail({ ...tx, sendsMail: true }, { ...invitation, subjectId: memberId, token: 'once' }),
    );
    const file = Buffer.from('%PDF-1.7').toString('base64');
    const evidence = { details: 'Two tickets.', file };
    const { capture_id: paidBy } = await stored(stack, charge);
    const dispute = await addDispute(stack, paidBy);
    expect((await api.post(`/disputes/${dispute}/evidence`, evidence)).status).to.equal(202);
    const pair = await signIn(stack, tenant.owner);
    await refresh(stack, pair.refresh_token);
    const options = { key: owner.token, headers: { 'Idempotency-Key': 'one' } };
    expect((await api.post('/api-keys', { kind: 'secret' }, options)).status).to.equal(201);
    const { json } = await api.get('/webhook-endpoints', { key: owner.token });
    const path = `/webhook-endpoints/${json.data[0].id}/rotate-secret`;
    expect((await api.post(path, undefined, { key: owner.token })).status).to.equal(201);
  }

  it('know every column that holds something sealed', async () => {
    const { db } = stack.context;
    const columns = await db.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'json', 'jsonb')
         and table_name in (select relname from pg_class where not relispartition)`,
    );
    const found: string[] = [];
    for (const { table, column } of columns) {
      const sealed = await db.query(
        `select from ${table} where ${column}::text ~ '(^|")test[.]~?[A-Za-z0-9_-]{40}' limit 1`,
      );
      if (sealed.length > 0) found.push(`${table}.${column}`);
    }
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(found.sort()).to.deep.equal(known.sort());
  });

  it('rotate seals everything again while the service runs; then the old key can be retired', async () => {
    const before = await statusWith(`${NEW},${OLD}`);
    expect(before.new).to.deep.equal({ sealed: 0, state: 'current' });
    expect(before.test!.state).to.equal('needed');
    expect(before.test!.sealed).to.be.at.least(sealedColumns.length);
    const { code, stdout, stderr } = await keys('rotate', `${NEW},${OLD}`);
    expect(code, stderr).to.equal(0);
    for (const column of JSON.parse(stdout).columns) {
      expect(column.resealed, column.column).to.be.greaterThan(0);
      expect(column.unopened, column.column).to.equal(0);
    }
    const after = await statusWith(`${NEW},${OLD}`);
    expect(after).to.deep.equal({
      new: { sealed: before.test!.sealed, state: 'current' },
      test: { sealed: 0, state: 'can be retired' },
    });
    const again = JSON.parse((await keys('rotate', `${NEW},${OLD}`)).stdout);
    for (const column of again.columns) expect(column).to.include({ resealed: 0, unopened: 0 });
  });

  it('what was sealed again opens for its owner, with the new key alone', async () => {
    const vault = openVault([
      { id: 'third', key: keyOf(9) },
      { id: 'new', key: keyOf(8) },
    ]);
    for (const column of sealedColumns) {
      const { resealed, unopened } = await resealColumn(stack.context.db, vault, column);
      expect([resealed > 0, unopened], column.column).to.deep.equal([true, 0]);
    }
  });

  it('a key that is missing is named, its values stay as they are, and the exit code is 1', async () => {
    expect((await statusWith(OLD)).third!.state).to.equal('missing from MASTER_KEY');
    const { code, stdout } = await keys('rotate', OLD);
    expect(code).to.equal(1);
    for (const column of JSON.parse(stdout).columns) expect(column.resealed).to.equal(0);
    expect((await statusWith(OLD)).test!.sealed).to.equal(0);
  });

  it('a value that changes while it is sealed again stays as it was changed to', async () => {
    const { db } = stack.context;
    const column = sealedColumns.find(({ column }) => column === 'credentials')!;
    const vault = openVault([
      { id: 'fourth', key: keyOf(10) },
      { id: 'third', key: keyOf(9) },
    ]);
    const changing = {
      ...vault,
      seal: vault.seal,
      open: (sealed: string, owner: Parameters<typeof vault.open>[1]) => {
        changed.push(db.query('update connections set credentials = $1', ['third.changed']));
        return vault.open(sealed, owner);
      },
    };
    const changed: Promise<unknown>[] = [];
    const slow = {
      query: async <Row>(text: string, values?: readonly unknown[]) => {
        await Promise.all(changed);
        return db.query<Row>(text, values);
      },
    };
    expect((await resealColumn(slow, changing, column)).resealed).to.equal(0);
    const left = await db.query(`select from connections where credentials <> 'third.changed'`);
    expect(left).to.have.length(0);
  });
});
