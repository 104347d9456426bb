import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newCharge, newKeys, newReference, openFixture } from './fixture.ts';

describe('sandbox: the control side', () => {
  const fixture = forEachTest(openFixture);

  it('registers an account, and the same one again with what has changed', async () => {
    const account = { provider: 'paystack', ...newKeys() };
    const opened = await fixture.control('/accounts', { ...account, slot: 'provider_c' });
    expect(opened.status).to.equal(201);
    expect(opened.body).to.include({
      ...{ slot: 'provider_c', mode: 'test', notification_url: null },
      base_url: `${fixture.sandbox.url}/paystack`,
    });
    const { id } = opened.body;
    const notification_url = fixture.receiver.url;
    const again = await fixture.control('/accounts', { ...account, notification_url });
    expect(again.status).to.equal(200);
    expect(again.body).to.include({ id, slot: 'provider_c', notification_url });
  });

  it('registers an account at every provider, by default in its slot, once of two at once', async () => {
    for (const [provider, slot] of [
      ['paystack', 'provider_a'],
      ['flutterwave', 'provider_b'],
      ['monnify', 'provider_c'],
    ] as const) {
      const account = { provider, ...newKeys(provider) };
      const replies = await Promise.all([1, 2].map(() => fixture.control('/accounts', account)));
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 201]);
      expect(new Set(replies.map(({ body }) => body.id)).size).to.equal(1);
      const base_url = `${fixture.sandbox.url}/${provider}`;
      for (const { body } of replies) expect(body).to.include({ provider, slot, base_url });
    }
  });

  it('refuses what it cannot read, and names the field', async () => {
    const account = { provider: 'paystack', secret_key: 'sk_test_12345' };
    const monnify = { provider: 'monnify', secret_key: 'ABCDEFGH' };
    const pay = { reference: 'SV-1', outcome: 'success' };
    const off = { reference: 'SV-1', kobo: 1 };
    const ours = { reference: 'SV-1-0a1b2c3d', amount_kobo: 1 };
    const stranger = { provider: 'paystack', reference: 'INV-1', amount_kobo: 1 };
    // A field that several operations share is refused at one of them.
    const rows: [path: string, body: unknown, field: string][] = [
      ['/accounts', { provider: 'paystack' }, 'secret_key'],
      ['/accounts', { ...account, secret_hash: 'x' }, 'secret_hash'],
      ['/accounts', { ...account, provider: 'flutterwave' }, 'secret_hash'],
      ['/accounts', { ...monnify, contract_code: '1' }, 'api_key'],
      ['/accounts', { ...monnify, api_key: 'MK_TEST_1' }, 'contract_code'],
      ['/accounts', { ...account, provider: 'stripe' }, 'provider'],
      ['/accounts', { ...account, notification_url: 'ftp://x' }, 'notification_url'],
      ['/pay', { outcome: 'success' }, 'reference'],
      ['/pay', { ...pay, outcome: 'maybe' }, 'outcome'],
      ['/pay', { ...pay, amount_kobo: 0.5 }, 'amount_kobo'],
      ['/pay', { ...pay, channel: 'cash' }, 'channel'],
      ['/pay', { ...pay, notify: 'no' }, 'notify'],
      ['/pay', { ...pay, again: 1 }, 'again'],
      ['/pay', { ...pay, colour: 'red' }, 'colour'],
      ['/refund', pay, 'outcome'],
      ['/refund', { reference: 'SV-1' }, 'outcome'],
      ['/refund', { reference: 'SV-1', now: true, outcome: 'failed' }, 'outcome'],
      ['/refund', { reference: 'SV-1', outcome: 'failed', amount_kobo: 1 }, 'amount_kobo'],
      ['/refund', { reference: 'SV-1', now: true, amount_kobo: 0 }, 'amount_kobo'],
      ['/dispute', { reference: 7 }, 'reference'],
      ['/settle', { short_by_kobo: -1 }, 'short_by_kobo'],
      ['/settle', { leave_out: 'SV-1' }, 'leave_out'],
      ['/settle', { leave_out: [''] }, 'leave_out.0'],
      ['/settle', { amount_off_kobo: off }, 'amount_off_kobo'],
      ['/settle', { amount_off_kobo: [{ ...off, kobo: 0.5 }] }, 'amount_off_kobo.0.kobo'],
      ['/settle', { amount_off_kobo: [{ reference: 'SV-1' }] }, 'amount_off_kobo.0.kobo'],
      ['/settle', { fee_off_kobo: [{ kobo: 1 }] }, 'fee_off_kobo.0.reference'],
      ['/settle', { fee_off_kobo: [{ ...off, colour: 'red' }] }, 'fee_off_kobo.0.colour'],
      ['/settle', { foreign: [{ reference: 'INV-1' }] }, 'foreign.0.amount_kobo'],
      ['/settle', { foreign: [{ amount_kobo: 0 }] }, 'foreign.0.amount_kobo'],
      ['/settle', { foreign: [ours] }, 'foreign.0.reference'],
      ['/settle', { status: 'short' }, 'status'],
      ['/settle', { at: '2026-03-02' }, 'at'],
      ['/settle', { at: '2026-13-02T00:00:00Z' }, 'at'],
      ['/settle', { account_id: '7' }, 'account_id'],
      ['/settlement', { status: 'landed' }, 'id'],
      ['/settlement', { id: 'SV-1', status: 'landed' }, 'id'],
      ['/settlement', { id: 0, status: 'landed' }, 'id'],
      ['/settlement', { id: 1, status: 'success' }, 'status'],
      ['/settlement', { id: 1 }, 'status'],
      ['/settlement', { id: 1, landed_kobo: -1 }, 'landed_kobo'],
      ['/stranger', { ...stranger, provider: undefined }, 'provider'],
      ['/stranger', { ...stranger, reference: undefined }, 'reference'],
      ['/faults', { error_rate: 1.5 }, 'error_rate'],
      ['/faults', { provider: 'provider_d' }, 'provider'],
      ['/faults', [], 'body'],
      ['/faults', '{', 'body'],
    ];
    for (const [path, body, field] of rows) {
      const reply = await fixture.control(path, body);
      expect(reply.status, JSON.stringify(body)).to.equal(400);
      expect(reply.body.error).to.match(new RegExp(`^${field} `));
    }
    const untyped = { method: 'POST', body: '{"latency_ms":"x"}' };
    expect((await fetch(`${fixture.sandbox.url}/_control/faults`, untyped)).status).to.equal(400);
  });

  it('pays a charge by its number: its newest attempt that is not paid', async () => {
    const charge = newCharge();
    const older = await fixture.order({ reference: newReference(charge) });
    const newer = await fixture.order({ reference: newReference(charge) });
    const neighbour = await fixture.order({ reference: newReference(`${charge}0`) });
    const pay = async () => (await fixture.pay(charge)).body.reference;
    expect(await pay()).to.equal(newer);
    expect(await pay()).to.equal(older);
    const payments = await fixture.payments(charge);
    expect(payments.map(({ reference }) => reference)).to.deep.equal([newer, older]);
    const [alone] = await fixture.payments(neighbour);
    expect(alone).to.include({ status: 'open', requested_kobo: 500_000, paid_kobo: null });
  });

  it('pays once, also of two at once: 404 while there is no such payment, 409 once it is paid', async () => {
    const reference = newReference();
    expect((await fixture.pay(reference)).status).to.equal(404);
    await fixture.order({ reference });
    const replies = await Promise.all([1, 2].map(() => fixture.pay(reference)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    const paid = { status: 'paid', paid_kobo: 500_000, channel: 'card' };
    const { body: first } = replies.find(({ status }) => status === 200)!;
    expect(first).to.include({ provider: 'paystack', reference, ...paid });
    for (const fields of [{}, { outcome: 'failed' }, { again: true }]) {
      const { status, body } = await fixture.pay(reference, fields);
      expect([status, body.error]).to.deep.equal([409, `reference ${reference} is paid already`]);
    }
    expect(await fixture.notified()).to.have.length(1);
  });

  it('answers 404 for unknown routes and references', async () => {
    const reference = newReference();
    const unknown: Parameters<typeof fixture.control>[] = [
      ['/nowhere', {}],
      ['/nowhere', undefined, 'GET'],
      ['/refund', { reference, outcome: 'failed' }],
      ['/dispute', { reference }],
    ];
    for (const call of unknown)
      expect((await fixture.control(...call)).status, call[0]).to.equal(404);
    expect(await fixture.payments(reference)).to.deep.equal([]);
  });
});
