import { expect } from 'chai';
import { type ClearUp, clearUpRefund } from '../../domain/payments/commands/clear-up-refund.ts';
import { auditOf } from '../support/audit.ts';
import { paidCharge } from '../support/charges.ts';
import { HOUR } from '../support/clock.ts';
import { answerNext, interceptCalls } from '../support/intercept.ts';
import {
  approvedRefund,
  eventsOf,
  type Refund,
  refundRow,
  settleRefunds,
  unsentRefund,
} from '../support/refunds.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('An unconfirmed refund', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));
  interceptCalls();

  const sentOf = async () => (await stack.control.stats()).paystack!.refunds;
  const clearUp = ({ id }: { id: string }, decision: ClearUp, tenantId = stack.tenant.tenant_id) =>
    stack.context.inTx(async (tx) => {
      const operator = { tenantId, mode: 'test' as const, subjectId: 'operator', memberId: null };
      return clearUpRefund(tx, operator, { id, decision, note: 'Looked on Monday.' });
    });
  const refusalOf = (refund: { id: string }, tenantId?: string): Promise<string> =>
    writingNothing(stack, () =>
      clearUp(refund, 'send again', tenantId).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    );
  async function vanished(): Promise<Refund> {
    const charge = await paidCharge(stack, { provider: 'provider_a' });
    answerNext('POST', `${stack.sandbox.url}/paystack/refund`).with(500, {
      status: false,
      message: 'An error occurred',
    });
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    return refund;
  }
  async function looked(): Promise<Refund> {
    const refund = await vanished();
    for (let look = 0; look < 3; look++) await settleRefunds(stack, 2 * HOUR);
    const row = await refundRow(stack, refund);
    expect(row.status).to.equal('unresolved');
    expect(row.attention).to.be.a('string');
    return refund;
  }

  it('is sent once more when a person says that the provider has none', async () => {
    const refund = await looked();
    const before = await sentOf();
    await clearUp(refund, 'send again');
    await settleRefunds(stack);
    await settleRefunds(stack);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed', attention: null });
    expect(await sentOf()).to.equal(before + 1);
    const [entry] = (await auditOf(stack, refund.id)).slice(-1);
    expect(entry).to.deep.include({ actor: 'operator', action: 'refund.sent_again' });
  });

  it('fails when a person gives it up, and its amount may be refunded again', async () => {
    const refund = await looked();
    const before = await sentOf();
    await clearUp(refund, 'give up');
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({ status: 'failed', attention: null });
    await approvedRefund(stack, { reference: json.reference });
    await settleRefunds(stack);
    expect(await sentOf()).to.equal(before + 1);
  });

  it('may be given up, but not sent again, when it is approved and cannot be sent', async () => {
    const refund = await unsentRefund(stack, await paidCharge(stack, { provider: 'provider_a' }));
    const before = await sentOf();
    expect(await refusalOf(refund)).to.include('sends it by itself');
    await clearUp(refund, 'give up');
    await settleRefunds(stack, 2 * HOUR);
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({
      status: 'failed',
      failure_message: 'It could not be sent, and was given up.',
    });
    expect((await eventsOf(stack, refund)).map(({ type }) => type)).to.deep.equal([
      'refund.failed',
    ]);
    expect(await sentOf()).to.equal(before);
  });

  it('cannot be cleared up while it is looked for, once the provider has it, or by another tenant', async () => {
    const refund = await vanished();
    expect(await refusalOf(refund)).to.include('still looking for this refund');
    const other = await stack.newTenant({ connected: false });
    expect(await refusalOf(refund, other.tenant_id)).to.include('no such refund');
    const put = (status: string) =>
      stack.context.db.query('update refunds set status = $2 where id = $1', [refund.id, status]);
    for (const status of ['processing', 'needs_attention']) {
      await put(status);
      expect(await refusalOf(refund)).to.include('decides how it ends');
    }
    await put('failed');
    expect(await refusalOf(refund)).to.include('nothing to clear up');
  });
});
