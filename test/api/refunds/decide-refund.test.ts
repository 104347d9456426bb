import { expect } from 'chai';
import { paidCharge, putCharge } from '../../support/charges.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

describe('Deciding a refund', () => {
  const stack = useStack({ workers: false });
  let owner: SignedIn;
  let charge: { reference: string; transaction: Record<string, any> | null };
  before(async () => {
    // Workers of the next payment send refunds approved before, without notifications of them.
    await stack.control.faults({ drop_notifications: true });
    owner = await memberOf(stack, stack.tenant, 'owner');
  });
  beforeEach(async () => {
    await using _workers = stack.startWorkers(); // for the payment alone: what is decided stays to be looked at
    charge = await paidCharge(stack);
  });

  const request = async (amountKobo?: number): Promise<Record<string, any>> => {
    const body = {
      reference: charge.reference,
      reason: 'Wrong size',
      ...(amountKobo ? { amount_kobo: amountKobo } : {}),
    };
    const { status, json } = await stack.api.post('/refunds', body);
    expect(status).to.equal(202);
    return json;
  };
  const approve = ({ id }: { id?: string }, options: object = { key: owner.token }) =>
    stack.api.post(`/refunds/${id}/approve`, undefined, options);
  const reject = (
    { id }: { id?: string },
    body: object = { reason: 'Worn' },
    options: object = { key: owner.token },
  ) => stack.api.post(`/refunds/${id}/reject`, body, options);
  const rowOf = async ({ id }: { id?: string }) =>
    (await stack.context.db.query<any>('select * from refunds where id = $1', [id]))[0];
  const historyOf = async () =>
    (await stack.api.get(`/charges/${charge.reference}/timeline`)).json.data;

  it('approves: answers the refund, due to be sent at once', async () => {
    const requested = await request(40_000);
    const answer = await approve(requested);
    expect(answer.status).to.equal(200);
    const { decided_at: decidedAt } = answer.json;
    expect(answer.json).to.deep.equal({ ...requested, status: 'approved', decided_at: decidedAt });
    const row = await rowOf(requested);
    expect(row).to.include({ status: 'approved', decided_by: owner.memberId, tries: 0 });
    expect([row.decided_at.toISOString(), row.due_at.toISOString()]).to.deep.equal([
      decidedAt,
      decidedAt,
    ]);
    expect((await stack.api.get(`/refunds/${requested.id}`)).json).to.deep.equal(answer.json);
    expect((await historyOf()).at(-1)).to.include({ what: 'refund.approved', amount_kobo: 40_000 });
  });

  it('rejects: answers the refund with the reason; nothing is due', async () => {
    const requested = await request(40_000);
    const answer = await reject(requested, { reason: 'The goods came back worn' });
    expect(answer.status).to.equal(200);
    const { decided_at: decidedAt } = answer.json;
    expect(answer.json).to.deep.equal({
      ...requested,
      status: 'rejected',
      rejection_reason: 'The goods came back worn',
      decided_at: decidedAt,
    });
    expect(await rowOf(requested)).to.include({
      status: 'rejected',
      decided_by: owner.memberId,
      due_at: null,
    });
    expect((await historyOf()).at(-1)).to.include({ what: 'refund.rejected', amount_kobo: 40_000 });
    expect((await request()).amount_kobo, 'what it held is free again').to.equal(100_000);
  });

  it('is in the timeline and the audit log with who decided', async () => {
    const [approved, rejected] = [await request(1_000), await request(2_000)];
    await approve(approved);
    await reject(rejected);
    const actions = await stack.sql<any>`select subject_id, action, actor, mode
      from audit_entries where subject_id = any(${[approved.id, rejected.id]})
      and actor like 'mem_%' order by id`;
    expect(actions).to.deep.equal([
      { subject_id: approved.id, action: 'refund.approved', actor: owner.memberId, mode: 'test' },
      { subject_id: rejected.id, action: 'refund.rejected', actor: owner.memberId, mode: 'test' },
    ]);
  });

  it('accepts an Owner’s approval of the same Owner’s request', async () => {
    const body = { reference: charge.reference, reason: 'A mistake of ours' };
    const { json } = await owner.api.post('/refunds', body);
    expect((await approve(json)).json.status).to.equal('approved');
  });

  it('happens once: a decided refund is 409 and stays as it is', async () => {
    for (const status of [
      'approved',
      'processing',
      'completed',
      'failed',
      'rejected',
      'cancelled',
    ]) {
      const refund = await request(1_000);
      await stack.sql`update refunds set status = ${status} where id = ${refund.id}`;
      for (const decide of [approve, reject]) {
        const refused = await expectRefusal(stack, () => decide(refund), 'invalid_state');
        expect(refused.json.error.message).to.include(`it is ${status}`);
      }
      expect(await rowOf(refund)).to.include({ status, decided_by: null });
    }
  });

  for (const status of ['disputed', 'refunded', 'failed', 'pending']) {
    it(`does not approve when the charge has become ${status}; rejecting is still possible`, async () => {
      const refund = await request();
      await putCharge(stack, charge, status);
      await expectRefusal(stack, () => approve(refund), 'invalid_state');
      expect(await rowOf(refund)).to.include({ status: 'requested', due_at: null });
      expect((await reject(refund)).json.status).to.equal('rejected');
    });
  }

  it('approves after a refund at the provider only what is still refundable', async () => {
    const [large, small] = [await request(70_000), await request(30_000)];
    await stack.sql`update charges set refunded_kobo = 50000 where id = ${charge.transaction!.id}`;
    const refused = await expectRefusal(stack, () => approve(large), 'invalid_state');
    expect(refused.json.error.message).to.include('₦500.00').and.include('₦700.00');
    expect((await approve(small)).json.status).to.equal('approved');
    expect((await approve(large)).json.error.message).to.include('₦200.00');
  });
});
