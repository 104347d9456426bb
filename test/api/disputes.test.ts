import { expect } from 'chai';
import { paidCharge, stored } from '../support/charges.ts';
import { dashboardMember } from '../support/dashboard.ts';
import { addDispute } from '../support/disputes.ts';
import { useStack } from '../support/stack.ts';

describe('Disputes', () => {
  const stack = useStack();
  let id: string;
  before(async () => {
    const charge = await stored(stack, await paidCharge(stack));
    id = await addDispute(stack, charge.capture_id);
  });

  it('are listed and read with their reason and the deadline for an answer', async () => {
    const read = (await stack.api.get(`/disputes/${id}`)).json;
    expect(read).to.include({
      ...{ object: 'dispute', id, status: 'open', amount_kobo: 100_000 },
      ...{ reason: 'Debit without value', decided_at: null },
    });
    expect(Date.parse(read.respond_by)).to.be.above(stack.clock().getTime());
    const listed = async (status: string) =>
      (await stack.api.get(`/disputes?status=${status}`)).json.data.map(
        (one: { id: string }) => one.id,
      );
    expect([await listed('open'), await listed('won')]).to.deep.equal([[id], []]);
  });

  it('have a page each in the dashboard, which says what to do at the provider', async () => {
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    expect((await viewer.get('/disputes?status=open')).html).to.include(`/disputes/${id}"`);
    expect((await viewer.get('/disputes?status=lost')).html).not.to.include(id);
    const { html } = await viewer.get(`/disputes/${id}`);
    for (const said of ['₦1,000.00', 'Debit without value', 'Sign in to the Paystack dashboard'])
      expect(html).to.include(said);
  });
});
