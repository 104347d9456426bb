import { expect } from 'chai';
import { ops as program } from '../../scripts/ops/program.ts';
import { auditOf } from '../support/audit.ts';
import { newCharge, openCharge } from '../support/charges.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { runHere } from '../support/run-here.ts';
import { type Stack, startStack } from '../support/stack.ts';

const EMAIL = 'Obi.Payer@mail.example';
const payer = {
  email: EMAIL,
  name: 'Obinna Okafor',
  phone: '+2348031234567',
  description: 'Order of Obinna',
  metadata: { contact: EMAIL },
  reference: 'order-7',
};

describe('npm run ops -- payer erase', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());

  const erase = (...args: string[]) =>
    runHere(program, ['payer', 'erase', ...args], {
      DATABASE_URL: stack.context.env.databaseUrl,
      MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      LOG_LEVEL: 'warn',
    });
  const erased = async (email: string) => {
    const tenant = ['--tenant', stack.tenant.tenant_id];
    const { code, stdout, stderr } = await erase(email, ...tenant, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };

  /** Every place in our tables where one of these words is readable or can be unsealed. */
  async function placesOf(...words: string[]): Promise<string[]> {
    const { db } = stack.context;
    const tables = await db.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await db.query(
        `select from ${name} t where to_json(t)::text ilike any($1) limit 1`,
        [words.map((word) => `%${word}%`)],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('removes a payer everywhere, keeps amounts and references, and is audited', async () => {
    const charge = await openCharge(stack, payer);
    await stack.control.pay(charge.reference, { notify: true });
    await stack.settle();
    const other = await openCharge(stack, { email: 'someone@else.example' });
    await stack.control.pay(other.reference, { notify: true });
    await stack.settle();
    const [before, others] = [await stack.count('evidence'), await stack.count('notifications')];
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.include.members([
      'charges',
      'events',
    ]);

    const report = await erased(EMAIL.toLowerCase());
    expect(report).to.include({ charges: 1, events: 1, open_charges_left: 0 });
    expect(report.provider_payloads).to.be.greaterThan(0);
    expect(report.notifications).to.be.greaterThan(0);
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.deep.equal([]);
    expect(await stack.count('evidence')).to.equal(before - report.provider_payloads);
    expect(await stack.count('notifications')).to.equal(others - report.notifications);

    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json).to.include({ status: 'completed', merchant_reference: 'order-7' });
    expect(json.transaction).to.include({ amount_kobo: 100_000, status: 'succeeded' });
    expect(json.transaction.metadata).to.deep.equal({});
    const customer = { email: 'erased@payer.invalid', name: null, phone: null };
    expect(json.transaction.customer).to.deep.equal(customer);
    await nothingHeldBack(stack);
    const { json: feed } = await stack.api.get('/events');
    const event = feed.data.find(({ data }: any) => data.reference === charge.reference);
    expect(event.data).to.deep.equal({
      ...json.transaction,
      ...event.data,
      customer,
      metadata: {},
    });
    const { json: kept } = await stack.api.get(`/charges/${other.reference}`);
    expect(kept.transaction.customer.email).to.equal('someone@else.example');
    expect(await auditOf(stack, json.transaction.id)).to.deep.equal([
      { actor: 'operator', action: 'payer.erased', detail: null },
    ]);
    expect(await erased(EMAIL)).to.include({ charges: 0, events: 0, notifications: 0 });
  });

  it('leaves a charge that can still be paid, and says so', async () => {
    const charge = await newCharge(stack, payer);
    expect(await erased(EMAIL)).to.include({ charges: 0, open_charges_left: 1 });
    const { stdout } = await erase(EMAIL, '--tenant', stack.tenant.tenant_id);
    expect(stdout).to.include('1 charges can still be paid');
    await stack.context.db.query(`update charges set status = 'failed' where number = $1`, [
      Number(charge.reference.slice(3)),
    ]);
    expect(await erased(EMAIL)).to.include({ charges: 1, open_charges_left: 0 });
  });

  it('touches no other tenant', async () => {
    const other = await stack.newTenant();
    const made = await stack.api.post(
      '/charges',
      { amount_kobo: 10_000, email: EMAIL },
      { key: other.secret_key_test },
    );
    expect(made.status).to.equal(201);
    expect(await erased(EMAIL)).to.include({ charges: 0, open_charges_left: 0 });
    expect(await placesOf('obi.payer')).to.deep.equal(['charges']);
  });
});
