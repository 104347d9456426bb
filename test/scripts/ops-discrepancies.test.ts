import { expect } from 'chai';
import { auditOf } from '../support/audit.ts';
import { addDiscrepancy } from '../support/discrepancies.ts';
import { useStack } from '../support/stack.ts';
import { opsOf } from './ops-fixture.ts';

describe('npm run ops -- discrepancy', () => {
  const stack = useStack({ workers: false });

  const ops = opsOf(stack, 'discrepancy');
  const listed = async (...args: string[]): Promise<string[]> =>
    (await ops.object('list', ...args, '--json')).data.map(({ id }: { id: string }) => id);

  it('lists those of every tenant, by default the open ones', async () => {
    expect((await ops('list')).stdout).to.equal('There is no such discrepancy.\n');
    const other = await stack.newTenant({ connected: false });
    const fee = await addDiscrepancy(stack);
    const short = await addDiscrepancy(
      { ...stack, tenant: other },
      { kind: 'short', reference: null },
    );
    const closed = await addDiscrepancy(stack, { status: 'closed', mode: 'live' });
    expect(await listed()).to.deep.equal([short, fee]);
    expect(await listed('--status', 'all')).to.deep.equal([closed, short, fee]);
    expect(await listed('--status', 'closed')).to.deep.equal([closed]);
    expect(await listed('--kind', 'short')).to.deep.equal([short]);
    expect(await listed('--tenant', other.tenant_id)).to.deep.equal([short]);
    expect(await listed('--limit', '1')).to.deep.equal([short]);
    expect(await listed('--before', short)).to.deep.equal([fee]);
    const [one] = (await ops.object('list', '--kind', 'fee_mismatch', '--json')).data;
    const { tenant_id } = stack.tenant;
    expect(one).to.include({
      ...{ object: 'discrepancy', id: fee, tenant_id, date: '2026-03-03', status: 'open' },
    });
    const { stdout } = await ops('list', '--kind', 'fee_mismatch');
    for (const part of [fee, '₦25.00', 'The fee differs.', tenant_id])
      expect(stdout).to.include(part);
  });

  it('closes one for a reason, and records the operator in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const closed = await ops.object('close', id, '--reason', 'Paid by transfer.', '--json');
    expect(closed).to.include({
      ...{ id, status: 'closed', closed_by: 'operator', close_reason: 'Paid by transfer.' },
      tenant_id: stack.tenant.tenant_id,
    });
    const detail = 'fee_mismatch of SV-100001-4f7k2m9p: Paid by transfer.';
    const entry = { actor: 'operator', action: 'discrepancy.closed', detail };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
    expect(await ops.refusal('close', id, '--reason', 'Again.')).to.equal(
      'This discrepancy is closed already, with the reason it shows.',
    );
    const other = await addDiscrepancy(stack, { mode: 'live' });
    expect((await ops('close', other, '--reason', 'As agreed.')).stdout)
      .to.include(`${other}  closed`)
      .and.include('As agreed.');
  });

  it('refuses in one sentence', async () => {
    const id = await addDiscrepancy(stack);
    const none = 'dsc_01h455vb4pex5vsknk084sn02q';
    await ops.refusals([
      [`close ${none} --reason Why.`, `There is no discrepancy ${none}.`],
      ['close rev_1 --reason Why.', 'is no discrepancy'],
      [`close ${id}`, '--reason'],
      [`close ${id} --reason \t`, '--reason must be 1 to 500 characters.'],
      [`close ${id} --reason ${'x'.repeat(501)}`, '--reason'],
      ['list --limit 0', '--limit'],
      ['list --kind odd', '--kind'],
    ]);
  });
});
