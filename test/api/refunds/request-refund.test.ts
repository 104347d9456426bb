import { expect } from 'chai';
import { paidCharge, putCharge, stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('POST /refunds', () => {
  const stack = useStack();
  let charge: { reference: string; transaction: Record<string, any> | null };
  beforeEach(async () => {
    charge = await paidCharge(stack);
  });

  const request = (body: object = {}, options = {}) =>
    stack.api.post(
      '/refunds',
      { reference: charge.reference, reason: 'Wrong size', ...body },
      options,
    );
  const refuse = (body: object = {}, options = {}) =>
    writingNothing(stack, () => request(body, options));

  it('answers 202 with the requested refund, of all that is refundable', async () => {
    const answer = await request();
    expect(answer.status).to.equal(202);
    const { id, created_at: createdAt, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      object: 'refund',
      reference: charge.reference,
      transaction_id: charge.transaction!.id,
      amount_kobo: 100_000,
      currency: 'NGN',
      reason: 'Wrong size',
      status: 'requested',
      origin: 'merchant',
      rejection_reason: null,
      failure_message: null,
      attention: null,
      decided_at: null,
      completed_at: null,
      mode: 'test',
    });
  });

  it('leaves the charge as it is, with a timeline entry and an audit entry of who requested it', async () => {
    const { id } = (await request({ amount_kobo: 40_000 })).json;
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 0 });
    const { data } = (await stack.api.get(`/charges/${charge.reference}/timeline`)).json;
    expect(data.at(-1)).to.include({
      what: 'refund.requested',
      amount_kobo: 40_000,
      detail: `A refund of ₦400.00 was requested (${id}).`,
    });
    const audited = await stack.sql<any>`select * from audit_entries where subject_id = ${id}`;
    expect(audited).to.have.length(1);
    expect(audited[0]).to.include({
      action: 'refund.requested',
      tenant_id: stack.tenant.tenant_id,
      mode: 'test',
    });
    expect(audited[0].actor).to.match(/^key_/);
  });

  it('accepts parts until nothing is left; the default is the rest', async () => {
    expect((await request({ amount_kobo: 1 })).json.amount_kobo).to.equal(1);
    expect((await request({ amount_kobo: 60_000 })).json.amount_kobo).to.equal(60_000);
    expect((await request()).json.amount_kobo).to.equal(39_999);
    for (const body of [{}, { amount_kobo: 1 }]) {
      const refused = await refuse(body);
      expectRefused(refused, 'validation_failed', ['amount_kobo']);
      expect(refused.json.error.fields.amount_kobo).to.equal(
        'has nothing left to come from: earlier refunds, asked for or done, are the whole charge',
      );
    }
  });

  it('names in naira what is still refundable when more is requested', async () => {
    await request({ amount_kobo: 12_345 });
    for (const amount of [87_656, 100_000, 100_000_000_000]) {
      const refused = await refuse({ amount_kobo: amount });
      expectRefused(refused, 'validation_failed', ['amount_kobo']);
      expect(refused.json.error.fields.amount_kobo).to.equal(
        'is more than what is still refundable: ₦876.55 (87655 kobo)',
      );
    }
    expect((await request({ amount_kobo: 87_655 })).status).to.equal(202);
  });

  it('counts what is approved, under way and completed, and refunds made at the provider', async () => {
    for (const status of ['approved', 'processing', 'completed']) {
      const { id } = (await request({ amount_kobo: 10_000 })).json;
      await stack.context.db.query('update refunds set status = $2 where id = $1', [id, status]);
    }
    // The charge knows of ₦150 more than our own refunds have sent.
    await stack.sql`update charges set refunded_kobo = 25000 where id = ${charge.transaction!.id}`;
    expect((await request()).json.amount_kobo).to.equal(100_000 - 20_000 - 25_000);
  });

  it('does not count system refunds of duplicates and excess', async () => {
    const { id } = (await request()).json;
    await stack.sql`update refunds set origin = 'system', status = 'processing' where id = ${id}`;
    expect((await request()).json.amount_kobo).to.equal(100_000);
  });

  it('refunds a settled charge as well', async () => {
    await putCharge(stack, charge, 'settled');
    expect((await request()).status).to.equal(202);
  });

  for (const [status, say] of [
    ['initiated', /not paid yet/],
    ['pending', /not paid yet/],
    ['failed', /failed/],
    ['disputed', /disputed/],
    ['refunded', /refunded in full already/],
  ] as const) {
    it(`answers 409 for a charge that is ${status}, with the reason`, async () => {
      await putCharge(stack, charge, status);
      const refused = await refuse();
      expectRefused(refused, 'invalid_state');
      expect(refused.json.error.message).to.match(say);
    });
  }
});
