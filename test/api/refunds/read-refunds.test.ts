import { expect } from 'chai';
import { refundStatuses } from '../../../domain/payments/entities/refund.ts';
import { shownAs } from '../../../domain/payments/refund/row.ts';
import { paidCharge } from '../../support/charges.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('Reading refunds', () => {
  const stack = useStack();
  const refunds: Record<string, any>[] = [];
  before(async () => {
    const charges = [await paidCharge(stack), await paidCharge(stack)];
    for (let n = 0; n < 7; n++) {
      const body = {
        reference: charges[n % 2]!.reference,
        amount_kobo: 1_000 + n,
        reason: `Part ${n}`,
      };
      refunds.push((await stack.api.post('/refunds', body)).json);
    }
  });

  const list = (query = '', options = {}) =>
    writingNothing(stack, () => stack.api.get(`/refunds${query}`, options));
  it('shows one as it was answered on its request', async () => {
    for (const refund of refunds) {
      const answer = await writingNothing(stack, () => stack.api.get(`/refunds/${refund.id}`));
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.equal(refund);
    }
  });

  it('finds every stored status by the status that is shown for it', async () => {
    const newest = refunds.at(-1)!.id;
    for (const stored of refundStatuses) {
      await stack.sql`update refunds set status = ${stored} where id = ${newest}`;
      const found = (await list(`?status=${shownAs[stored]}&limit=1`)).json.data;
      expect(found, stored).to.have.length(1);
      expect([found[0].id, found[0].status], stored).to.deep.equal([newest, shownAs[stored]]);
    }
    await stack.context.db.query(`update refunds set status = 'requested'`);
  });

  it('finds nothing for an unknown reference', async () => {
    for (const reference of ['SV-999999999', 'SV-9999999999999999999']) {
      expect((await list(`?reference=${reference}`)).json).to.deep.equal({
        data: [],
        tenant_id: stack.tenant.tenant_id,
      });
    }
  });
});
