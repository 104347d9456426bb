import { expect } from 'chai';
import { refundStatuses } from '../../../domain/payments/entities/refund.ts';
import { shownAs } from '../../../domain/payments/refund/row.ts';
import { auditOf } from '../../support/audit.ts';
import { type Checkout, paidCharge, putCharge } from '../../support/charges.ts';
import { expectRefusal } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { refundRow } from '../../support/refunds.ts';
import { useStack } from '../../support/stack.ts';

describe('Deciding a refund', () => {
  const stack = useStack({ workers: false });
  const owner = useMember(stack, 'owner');
  let charge: Checkout;
  // Workers of the next payment send refunds approved before, without notifications of them.
  before(() => stack.control.faults({ drop_notifications: true }));
  beforeEach(async () => {
    await using _workers = stack.startWorkers(); // for the payment alone: what is decided stays to be looked at
    charge = await paidCharge(stack);
  });

  const request = async (amount_kobo?: number): Promise<Record<string, any> & { id: string }> => {
    const body = { reference: charge.reference, reason: 'Wrong size', amount_kobo };
    const { status, json } = await stack.api.post('/refunds', body);
    expect(status).to.equal(202);
    return json;
  };
  const approve = ({ id }: { id: string }) => owner.api.post(`/refunds/${id}/approve`);
  const reject = ({ id }: { id: string }, reason = 'Worn') =>
    owner.api.post(`/refunds/${id}/reject`, { reason });
  /** Expects the decision in the timeline, in the audit log with who decided, and as an event. */
  const expectRecorded = async (requested: { id: string }, action: string, decided: object) => {
    const { id } = requested;
    const { data } = (await stack.api.get(`/charges/${charge.reference}/timeline`)).json;
    expect(data.at(-1)).to.include({ what: action, amount_kobo: 40_000 });
    expect((await auditOf(stack, id)).at(-1)).to.include({ action, actor: owner.memberId });
    const events = await stack.sql<{ body: string }>`select body from events
      where subject_id = ${id}`;
    const shown = events.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data]);
    expect(shown).to.have.deep.members([
      ['refund.requested', requested],
      [action, decided],
    ]);
  };

  it('approves: answers the refund, due to be sent at once', async () => {
    const requested = await request(40_000);
    const answer = await approve(requested);
    expect(answer.status).to.equal(200);
    const { decided_at: decidedAt } = answer.json;
    expect(answer.json).to.deep.equal({ ...requested, status: 'approved', decided_at: decidedAt });
    const row = await refundRow(stack, requested);
    expect(row).to.include({ status: 'approved', decided_by: owner.memberId, tries: 0 });
    for (const at of [row.decided_at, row.due_at]) expect(at.toISOString()).to.equal(decidedAt);
    expect((await stack.api.get(`/refunds/${requested.id}`)).json).to.deep.equal(answer.json);
    await expectRecorded(requested, 'refund.approved', answer.json);
  });

  it('rejects: answers the refund with the reason; nothing is due', async () => {
    const requested = await request(40_000);
    const rejection_reason = 'The goods came back worn';
    const answer = await reject(requested, rejection_reason);
    expect(answer.status).to.equal(200);
    const { decided_at } = answer.json;
    const rejected = { status: 'rejected', rejection_reason, decided_at };
    expect(answer.json).to.deep.equal({ ...requested, ...rejected });
    const row = { status: 'rejected', decided_by: owner.memberId, due_at: null };
    expect(await refundRow(stack, requested)).to.include(row);
    await expectRecorded(requested, 'refund.rejected', answer.json);
    expect((await request()).amount_kobo, 'what it held is free again').to.equal(100_000);
  });

  it('accepts an Owner’s approval of the same Owner’s request', async () => {
    const body = { reference: charge.reference, reason: 'A mistake of ours' };
    const { json } = await owner.api.post('/refunds', body);
    expect((await approve(json)).json.status).to.equal('approved');
  });

  it('happens once: a decided refund is 409 and stays as it is', async () => {
    for (const status of refundStatuses.filter((each) => each !== 'requested')) {
      const refund = await request(1_000);
      await stack.sql`update refunds set status = ${status} where id = ${refund.id}`;
      for (const decide of [approve, reject]) {
        const refused = await expectRefusal(stack, () => decide(refund), 'invalid_state');
        expect(refused.json.error.message).to.include(`it is ${shownAs[status]}`);
      }
      expect(await refundRow(stack, refund)).to.include({ status, decided_by: null });
    }
  });

  for (const status of ['disputed', 'refunded', 'failed', 'pending']) {
    it(`does not approve when the charge has become ${status}; rejecting is still possible`, async () => {
      const refund = await request();
      await putCharge(stack, charge, status);
      await expectRefusal(stack, () => approve(refund), 'invalid_state');
      expect(await refundRow(stack, refund)).to.include({ status: 'requested', due_at: null });
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
