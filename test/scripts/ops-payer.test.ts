import { p } from '@mikro-orm/core';
import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { createChargeBody } from '../../api/charges/schemas.ts';
import { type JsonSchema, plain } from '../../api/http/schema.ts';
import { createPaymentLinkBody } from '../../api/payment-links/schemas.ts';
import { rejectRefundBody, requestRefundBody } from '../../api/refunds/schemas.ts';
import { listCustomers } from '../../domain/payments/customer/list.ts';
import { Charge } from '../../domain/payments/entities/charge.ts';
import { newId } from '../../domain/shared/ids.ts';
import { ofPayer } from '../../domain/shared/payer-data.ts';
import { auditOf } from '../support/audit.ts';
import { newCharge, openCharge } from '../support/charges.ts';
import { dashboardMember } from '../support/dashboard.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { memberOf } from '../support/members.ts';
import { openedBy } from '../support/payment-links.ts';
import { settleRefunds } from '../support/refunds.ts';
import { useStack } from '../support/stack.ts';
import { opsOf } from './ops-fixture.ts';

const EMAIL = 'Obi.Payer@mail.example';
const PHONE = '+2348031234567';
const payer = { email: EMAIL, name: 'Obinna Okafor', phone: PHONE };

const words: Record<string, string> = {
  email: EMAIL,
  phone: PHONE,
  'web-address': 'https://obinna.example/thanks',
  text: 'Obinna Okafor',
  // References are the merchant's own: they stay.
  printable: 'order-7',
  'service-reference': 'SV-1',
};

/** The fields of a body, a payer's data in each: those that will be added to it, too. */
function filled({ properties = {} }: JsonSchema): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>)) {
    if (schema.type === 'string' && !schema.enum) given[name] = words[String(schema.format)];
    if (schema.type === 'object') given[name] = schema.properties ? filled(schema) : { to: EMAIL };
  }
  return given;
}

describe('npm run ops -- payer erase', () => {
  const stack = useStack();

  const erase = opsOf(stack, 'payer', 'erase');
  const erased = (email: string) =>
    erase.object(email, '--tenant', stack.tenant.tenant_id, '--json');

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

  async function create(path: string, schema: TSchema, fields: object): Promise<any> {
    const options = { idempotencyKey: newId('req', stack.clock()) };
    const body = { ...(filled(plain(schema)) as object), ...fields };
    const { status, text, json } = await stack.api.post(path, body, options);
    expect(status, text).to.be.within(201, 202);
    return json;
  }

  async function pay({ reference }: { reference: string }): Promise<void> {
    await stack.settle();
    await stack.control.pay(reference, { notify: true });
    await stack.settle();
  }

  async function refund({ reference }: { reference: string }, { reject = false }): Promise<void> {
    const { token: key } = await memberOf(stack, stack.tenant, 'owner');
    const wanted = { ...filled(plain(requestRefundBody)), reference, amount_kobo: 10_000 };
    const options = { idempotencyKey: newId('req', stack.clock()) };
    const { json } = await stack.api.post('/refunds', wanted, options);
    const decided = reject
      ? await stack.api.post(`/refunds/${json.id}/reject`, filled(plain(rejectRefundBody)), { key })
      : await stack.api.post(`/refunds/${json.id}/approve`, undefined, { key });
    expect(decided.status, decided.text).to.equal(200);
  }

  it('removes a payer everywhere, keeps amounts and references, and is audited', async () => {
    const charge = await create('/charges', createChargeBody, { amount_kobo: 100_000 });
    await pay(charge);
    await refund(charge, { reject: true });
    await refund(charge, {});
    await settleRefunds(stack);
    const other = await openCharge(stack, { email: 'someone@else.example' });
    await pay(other);
    const [before, others] = [await stack.count('evidence'), await stack.count('notifications')];
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.have.members([
      ...['charges', 'customer_words', 'events', 'idempotency_keys', 'refunds'],
    ]);

    const report = await erased(EMAIL.toLowerCase());
    expect(report).to.include({ charges: 1, events: 6, open_charges_left: 0 });
    expect(report.remembered_answers).to.equal(3);
    expect(report.provider_payloads).to.be.greaterThan(0);
    expect(report.notifications).to.be.greaterThan(0);
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.deep.equal([]);
    expect(await stack.count('evidence')).to.equal(before - report.provider_payloads);
    expect(await stack.count('notifications')).to.equal(others - report.notifications);

    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json).to.include({ status: 'completed', merchant_reference: 'order-7' });
    expect(json.transaction).to.include({ amount_kobo: 100_000, status: 'succeeded' });
    expect(json.transaction.metadata).to.deep.equal({});
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const shown = await owner.get(`/transactions/${charge.reference}`);
    expect(shown.html, 'a link to nobody').not.to.include('/customers/');
    const customer = { email: 'erased@payer.invalid', name: null, phone: null };
    expect(json.transaction.customer).to.deep.equal(customer);
    await nothingHeldBack(stack);
    const { json: feed } = await stack.api.get('/events');
    const about = (type: string, reference: string) =>
      feed.data.find((event: any) => event.type === type && event.data.reference === reference);
    const { data: paid } = about('charge.succeeded', charge.reference);
    expect(paid).to.deep.equal({ ...json.transaction, ...paid, customer, metadata: {} });
    const { data: returned } = about('refund.completed', charge.reference);
    expect(returned).to.include({ amount_kobo: 10_000, status: 'completed', reason: 'Erased' });
    const { json: kept } = await stack.api.get(`/charges/${other.reference}`);
    expect(kept.transaction.customer.email).to.equal('someone@else.example');
    expect(await auditOf(stack, json.transaction.id)).to.deep.equal([
      { actor: 'operator', action: 'payer.erased', detail: null },
    ]);
    expect(await erased(EMAIL)).to.include({ charges: 0, events: 0, notifications: 0 });
  });

  it('removes a payer from the payment link that named them, and from the answer that made it', async () => {
    const link = await create('/payment-links', createPaymentLinkBody, { amount_kobo: 10_000 });
    const charge = await openedBy(stack, link, { email: EMAIL, name: 'Obinna', phone: PHONE });
    await pay(charge);
    const places = await placesOf('Obinna', '8031234567');
    expect(places).to.include.members(['idempotency_keys', 'payment_links']);
    expect(await erased(EMAIL)).to.include({ charges: 1, payment_links: 1, remembered_answers: 1 });
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.deep.equal([]);
    const { json } = await stack.api.get(`/payment-links/${link.id}`);
    expect(json).to.include({ status: 'paid', amount_kobo: 10_000, customer: null });
  });

  it('removes a payer from a payment link that was addressed to them and never paid', async () => {
    const link = await create('/payment-links', createPaymentLinkBody, { amount_kobo: 10_000 });
    const left = { payment_links: 0, open_payment_links_left: 1 };
    expect(await erased(EMAIL)).to.include(left);
    const { stdout } = await erase(EMAIL, '--tenant', stack.tenant.tenant_id);
    expect(stdout).to.include('1 payment links can still be paid');
    await stack.api.post(`/payment-links/${link.id}/disable`);
    const gone = { payment_links: 1, remembered_answers: 1, open_payment_links_left: 0 };
    expect(await erased(EMAIL)).to.include({ charges: 0, ...gone });
    expect(await placesOf('obi.payer', 'Obinna', '8031234567')).to.deep.equal([]);
    expect(await auditOf(stack, link.id)).to.deep.include({
      ...{ actor: 'operator', action: 'payer.erased', detail: null },
    });
  });

  it('removes what a column holds once it is marked: from the charge, its events and its answer', async () => {
    const column = Charge.meta.properties.merchant_reference as object;
    const marked = ofPayer(p.text().strictNullable())['~options'];
    const { erased: unmarked = undefined } = column as { erased?: unknown };
    Object.assign(column, marked);
    try {
      const fields = { amount_kobo: 100_000, reference: 'Obinna-1' };
      await pay(await create('/charges', createChargeBody, fields));
      expect(await placesOf('Obinna-1')).to.deep.equal(['charges', 'events', 'idempotency_keys']);
      expect(await erased(EMAIL)).to.include({ charges: 1, events: 1, remembered_answers: 1 });
      expect(await placesOf('Obinna-1')).to.deep.equal([]);
    } finally {
      Object.assign(column, { erased: unmarked });
    }
  });

  it('leaves a charge that can still be paid, and says so', async () => {
    const charge = await newCharge(stack, payer);
    expect(await erased(EMAIL)).to.include({ charges: 0, open_charges_left: 1 });
    const customers = { text: 'obinna', before: '~', limit: 10 };
    const reader = { tenantId: stack.tenant.tenant_id, mode: 'test' } as const;
    const [left, ...others] = await listCustomers(stack.context.db, reader, customers);
    expect([left?.email, others]).to.deep.equal([EMAIL, []]);
    const { stdout } = await erase(EMAIL, '--tenant', stack.tenant.tenant_id);
    expect(stdout).to.include('1 charges can still be paid');
    const number = Number(charge.reference.slice(3));
    await stack.sql`update charges set status = 'failed', failure_cause = 'declined'
      where number = ${number}`;
    expect(await erased(EMAIL), 'declined').to.include({ charges: 0, open_charges_left: 1 });
    await stack.sql`update charges set cancel_requested_at = now() where number = ${number}`;
    expect(await erased(EMAIL)).to.include({ charges: 1, open_charges_left: 0 });
  });

  it('touches no other tenant', async () => {
    const other = await stack.newTenant();
    const order = { amount_kobo: 10_000, email: EMAIL };
    const made = await stack.api.post('/charges', order, { key: other.secret_key_test });
    expect(made.status).to.equal(201);
    expect(await erased(EMAIL)).to.include({ charges: 0, open_charges_left: 0 });
    expect(await placesOf('obi.payer')).to.have.members(['charges', 'customer_words']);
  });
});
