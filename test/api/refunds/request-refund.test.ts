import { expect } from 'chai';
import { refundStatuses } from '../../../domain/payments/entities/refund.ts';
import { shownAs } from '../../../domain/payments/refund/row.ts';
import { auditOf } from '../../support/audit.ts';
import { type Checkout, paidCharge, putCharge, stored } from '../../support/charges.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const WAITING = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

describe('POST /refunds', () => {
  const stack = useStack();
  const owner = useMember(stack, 'owner');
  let charge: Checkout;
  beforeEach(async () => {
    charge = await paidCharge(stack);
  });

  const request = (amount_kobo?: number) =>
    stack.api.post('/refunds', { reference: charge.reference, amount_kobo, reason: 'Wrong size' });
  const requestedKobo = async (amount?: number) => (await request(amount)).json.amount_kobo;
  const refuse = async (amount: number | undefined, message: string) => {
    const refused = await expectRefusal(stack, () => request(amount), 'validation_failed', [
      'amount_kobo',
    ]);
    expect(refused.json.error.fields.amount_kobo).to.equal(message);
  };
  const approve = (id: string) => owner.api.post(`/refunds/${id}/approve`, {});
  const reject = (id: string) => owner.api.post(`/refunds/${id}/reject`, { reason: 'Race' });
  const count = (answers: { status: number }[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;
  const liveKobo = async () => {
    const [sum] = await stack.sql<{ kobo: number }>`select
      coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds
      where charge_id = ${charge.transaction!.id}
      and status not in ('failed', 'rejected', 'cancelled')`;
    return sum!.kobo;
  };

  it('answers 202 with the requested refund, of all that is refundable, as it is read', async () => {
    const answer = await request();
    expect(answer.status).to.equal(202);
    const { id, created_at: createdAt, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      ...{ object: 'refund', reference: charge.reference, transaction_id: charge.transaction!.id },
      ...{ amount_kobo: 100_000, currency: 'NGN', reason: 'Wrong size', status: 'requested' },
      ...{
        origin: 'merchant',
        rejection_reason: null,
        failure_message: null,
        attention: null,
        first_approved_at: null,
      },
      ...{ decided_at: null, completed_at: null, mode: 'test' },
    });
    expect((await stack.api.get(`/refunds/${id}`)).text).to.equal(answer.text);
    for (const status of refundStatuses) {
      await stack.sql`update refunds set status = ${status} where id = ${id}`;
      const { data } = (await stack.api.get(`/refunds?status=${shownAs[status]}&limit=1`)).json;
      expect([data[0].id, data[0].status], status).to.deep.equal([id, shownAs[status]]);
    }
  });

  it('leaves the charge as it is, with a timeline entry and an audit entry of who requested it', async () => {
    const { id } = (await request(40_000)).json;
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 0 });
    const { data } = (await stack.api.get(`/charges/${charge.reference}/timeline`)).json;
    const detail = `A refund of ₦400.00 was requested (${id}).`;
    expect(data.at(-1)).to.include({ what: 'refund.requested', amount_kobo: 40_000, detail });
    const [entry, ...others] = await auditOf(stack, id);
    expect(others).to.deep.equal([]);
    expect(entry!.action).to.equal('refund.requested');
    expect(entry!.actor).to.match(/^key_/);
  });

  it('accepts parts until nothing is left; the default is the rest', async () => {
    for (const part of [1, 60_000]) expect(await requestedKobo(part)).to.equal(part);
    expect(await requestedKobo()).to.equal(39_999);
    const nothing =
      'has nothing left to come from: earlier refunds, asked for or done, are the whole charge';
    for (const more of [undefined, 1]) await refuse(more, nothing);
  });

  it('names in naira what is still refundable when more is requested', async () => {
    await request(12_345);
    for (const more of [87_656, 100_000, 100_000_000_000])
      await refuse(more, 'is more than what is still refundable: ₦876.55 (87655 kobo)');
    expect((await request(87_655)).status).to.equal(202);
  });

  it('counts refunds made at the provider, and no system refunds of duplicates and excess', async () => {
    const { id } = (await request()).json;
    await stack.sql`update refunds set origin = 'system', status = 'processing' where id = ${id}`;
    await stack.sql`update charges set refunded_kobo = 25000 where id = ${charge.transaction!.id}`;
    expect(await requestedKobo()).to.equal(75_000);
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
      const refused = await expectRefusal(stack, request, 'invalid_state');
      expect(refused.json.error.message).to.match(say);
    });
  }

  it('of twenty parts at once accepts as many as fit', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(15_000)));
    expect([count(answers, 202), count(answers, 422)]).to.deep.equal([6, 14]);
    expect(await liveKobo()).to.equal(90_000);
    expect(await requestedKobo(), 'what is left').to.equal(10_000);
  });

  it('is decided once: of ten approvals and ten rejections one succeeds, the others get 409', async () => {
    const { id } = (await request()).json;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? approve(id) : reject(id))),
    );
    expect([count(answers, 200), count(answers, 409)]).to.deep.equal([1, 19]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectRefused(answer, 'invalid_state');
    const { decided_at, rejection_reason } = answers.find(({ status }) => status === 200)!.json;
    const { json } = await stack.api.get(`/refunds/${id}`);
    expect(json, 'by now it may be on its way').to.include({ decided_at, rejection_reason });
    const decisions = `charge_id = '${charge.transaction!.id}' and what ~ 'refund.(approved|rejected)'`;
    expect(await stack.count(`timeline_entries where ${decisions}`)).to.equal(1);
    expect(await auditOf(stack, id)).to.have.length(2);
  });

  it('never adds up to more while some are approved, some rejected and others requested', async () => {
    const first = await Promise.all([25_000, 25_000, 25_000, 25_000].map(request));
    const [a, b, c, d] = first.map(({ json }) => json.id) as [string, string, string, string];
    const answers = await Promise.all([
      ...[approve(a), reject(b), approve(c), reject(d), approve(b), reject(a)],
      ...Array.from({ length: 12 }, () => request(20_000)),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect(await liveKobo()).to.be.at.most(100_000);
    await Promise.all(Array.from({ length: 5 }, () => request()));
    expect(await liveKobo()).to.equal(100_000);
  });

  it('is not approved while a dispute is recorded: the charge is read under its lock', async () => {
    const { id } = (await request()).json;
    const approval = await stack.context.db.transaction(async (sql) => {
      const { id: disputed } = charge.transaction!;
      await sql.query(`update charges set status = 'disputed' where id = $1`, [disputed]);
      const asked = approve(id);
      await until('the approval that waits', async () => (await stack.count(WAITING)) > 0);
      return { asked };
    });
    expectRefused(await approval.asked, 'invalid_state');
  });
});
