import { expect } from 'chai';
import { paidCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Refunds requested and decided at once', () => {
  const stack = useStack();
  let owner: SignedIn;
  let charge: { reference: string; transaction: Record<string, any> | null };
  before(async () => {
    owner = await memberOf(stack, stack.tenant, 'owner');
  });
  beforeEach(async () => {
    charge = await paidCharge(stack);
  });

  const request = (amountKobo?: number) =>
    stack.api.post('/refunds', {
      reference: charge.reference,
      reason: 'Race',
      ...(amountKobo ? { amount_kobo: amountKobo } : {}),
    });
  const approve = (id: string) => owner.api.post(`/refunds/${id}/approve`, {});
  const reject = (id: string) => owner.api.post(`/refunds/${id}/reject`, { reason: 'Race' });
  const count = (answers: { status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const liveKobo = async () => {
    const [sum] = await stack.sql<{
      kobo: number;
    }>`select coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds
       where charge_id = ${charge.transaction!.id} and status not in ('failed', 'rejected', 'cancelled')`;
    return sum!.kobo;
  };

  it('never add up to more than the charge: of twenty parts as many are accepted as fit', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(15_000)));
    expect([count(answers, 202), count(answers, 422)]).to.deep.equal([6, 14]);
    expect(await liveKobo()).to.equal(90_000);
    expect((await request()).json.amount_kobo, 'what is left').to.equal(10_000);
  });

  it('are decided once: of ten approvals and ten rejections one succeeds, the others get 409', async () => {
    const { id } = (await request()).json;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? approve(id) : reject(id))),
    );
    expect([count(answers, 200), count(answers, 409)]).to.deep.equal([1, 19]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectRefused(answer, 'invalid_state');
    const winner = answers.find(({ status }) => status === 200)!.json;
    const { decided_at, rejection_reason } = winner;
    expect((await stack.api.get(`/refunds/${id}`)).json, 'by now it may be on its way').to.include({
      decided_at,
      rejection_reason,
    });
    expect(
      await stack.count(
        `timeline_entries where charge_id = '${charge.transaction!.id}' and what ~ 'refund.(approved|rejected)'`,
      ),
    ).to.equal(1);
    expect(await stack.count(`audit_entries where subject_id = '${id}'`)).to.equal(2);
  });

  it('never add up to more while some are approved, some rejected and others requested', async () => {
    const first = await Promise.all([25_000, 25_000, 25_000, 25_000].map((part) => request(part)));
    const [a, b, c, d] = first.map(({ json }) => json.id) as [string, string, string, string];
    const asks = Array.from({ length: 12 }, () => request(20_000));
    const answers = await Promise.all([
      approve(a),
      reject(b),
      approve(c),
      reject(d),
      approve(b),
      reject(a),
      ...asks,
    ]);
    expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect(await liveKobo()).to.be.at.most(100_000);
    await Promise.all(Array.from({ length: 5 }, () => request()));
    expect(await liveKobo()).to.equal(100_000);
  });

  it('are not approved while a dispute is recorded: the charge is read under its lock', async () => {
    const { id } = (await request()).json;
    const approval = await stack.context.db.transaction(async (sql) => {
      await sql.query(`update charges set status = 'disputed' where id = $1`, [
        charge.transaction!.id,
      ]);
      const asked = approve(id);
      await until(
        'the approval waiting for the charge',
        async () => (await stack.count(WAITING)) > 0,
      );
      return { asked };
    });
    expectRefused(await approval.asked, 'invalid_state');
  });
});

const WAITING = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
