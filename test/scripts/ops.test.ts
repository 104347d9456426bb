import { expect } from 'chai';
import { auditOf } from '../support/audit.ts';
import { openCharge, paidCharge, stored } from '../support/charges.ts';
import { run } from '../support/run.ts';
import { useStack } from '../support/stack.ts';
import { opsOf, settingsOf } from './ops-fixture.ts';

describe('npm run ops', () => {
  const stack = useStack();

  const ops = opsOf(stack);
  const settings = () => settingsOf(stack);
  const statusOf = async (charge: { reference: string }) => (await stored(stack, charge)).status;

  const inReview = async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    return charge;
  };

  it('lists reviews, accepts one, and records the operator in the audit log', async () => {
    const charge = await inReview();
    const { data } = await ops.object('review', 'list', '--json');
    expect(data).to.have.length(1);
    const { tenant_id } = stack.tenant;
    const { reference } = charge;
    expect(data[0]).to.include({ object: 'review', reference, status: 'open', tenant_id });
    const { stdout } = await ops('review', 'list', '--reason', 'underpaid');
    expect(stdout).to.include(data[0].id).and.include('₦600.00 of ₦1,000.00');
    const note = ['--note', 'Agreed by telephone.'];
    const accepted = await ops.object('review', 'accept', data[0].id, ...note, '--json');
    expect(accepted).to.include({ id: data[0].id, status: 'accepted', decided_by: 'operator' });
    expect(await statusOf(charge)).to.equal('succeeded');
    const detail = `underpaid of ${reference}: Agreed by telephone.`;
    const entry = { actor: 'operator', action: 'review.accepted', detail };
    expect(await auditOf(stack, data[0].id)).to.deep.equal([entry]);
    expect((await ops('review', 'list')).stdout).to.equal('Nothing is in review.\n');
    expect(await ops.refusal('review', 'return', data[0].id)).to.include('it is accepted');
  });

  it('returns the money of a review: its refund is sent', async () => {
    await inReview();
    const { data } = await ops.object('review', 'list', '--json');
    const returned = await ops.object('review', 'return', data[0].id, '--json');
    expect(returned).to.include({ status: 'returned' });
    stack.clock.advance(60_000);
    await stack.settle();
    const refunds = await stack.sql<any>`select status, amount_kobo from refunds
      where charge_id = ${data[0].transaction_id}`;
    expect(refunds).to.have.length(1);
    expect(refunds[0]).to.include({ amount_kobo: 60_000 }).and.not.include({ status: 'approved' });
  });

  it('enters disputes by hand, from beginning to end', async () => {
    const charge = await paidCharge(stack);
    const about = ['--charge', charge.reference, '--amount', '50000', '--note', 'E-mail'];
    const opened = await ops.object('dispute', 'open', ...about, '--json');
    expect(opened).to.include({
      ...{ object: 'dispute', reference: charge.reference, status: 'open' },
      ...{ amount_kobo: 50_000, decided_at: null },
    });
    expect(await statusOf(charge)).to.equal('disputed');
    const won = await ops('dispute', 'won', '--charge', charge.reference);
    expect(won.stdout).to.equal(
      `${opened.id}: the dispute about ₦500.00 of ${charge.reference} is won.\n`,
    );
    expect(await statusOf(charge)).to.equal('succeeded');
    const audit = (await auditOf(stack, opened.id)).map(({ action }) => action);
    expect(audit).to.deep.equal(['dispute.opened', 'dispute.won']);
    const { events } = await stored(stack, charge);
    expect(events.map(({ type }) => type)).to.have.members(['charge.succeeded', 'charge.disputed']);
  });

  it('refuses in one sentence', async () => {
    const { reference } = await openCharge(stack);
    await ops.refusals([
      ['review accept rev_01h455vb4pex5vsknk084sn02q', 'There is no review rev_'],
      ['review accept SV-1', 'is no review'],
      ['review list --limit 0', '--limit'],
      [`dispute open --charge ${reference}`, 'was not paid'],
      ['dispute open --charge SV-999999999', 'There is no charge'],
      ['dispute lost --charge order-1', 'SV-<number>'],
      [`dispute won --charge ${reference} --amount -5`, '--amount'],
    ]);
  });

  it('prints the same and ends the same as a process of its own', async () => {
    const { reference } = await inReview();
    const list = ['review', 'list', '--status', 'all', '--json'];
    const started = await run(['scripts/ops.ts', ...list], settings());
    expect(JSON.parse(started.stdout).data[0].reference).to.equal(reference);
    expect(started).to.deep.equal(await ops(...list));
    const refused = ['review', 'accept', 'SV-1'];
    expect(await run(['scripts/ops.ts', ...refused], settings()))
      .to.deep.equal(await ops(...refused))
      .and.include({ code: 1, stdout: '' });
  });
});
