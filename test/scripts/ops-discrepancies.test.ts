import { expect } from 'chai';
import { ops as program } from '../../scripts/ops/program.ts';
import { auditOf } from '../support/audit.ts';
import { addDiscrepancy } from '../support/discrepancies.ts';
import { writingNothing } from '../support/row-counts.ts';
import { runHere } from '../support/run-here.ts';
import { type Stack, startStack } from '../support/stack.ts';

describe('npm run ops -- discrepancy', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ workers: false });
  });
  after(() => stack[Symbol.asyncDispose]());

  const ops = (...args: string[]) =>
    runHere(program, ['discrepancy', ...args], {
      DATABASE_URL: stack.context.env.databaseUrl,
      MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      LOG_LEVEL: 'warn',
    });
  /** The one object on the one line. */
  const object = ({
    code,
    stdout,
    stderr,
  }: Awaited<ReturnType<typeof ops>>): Record<string, any> => {
    expect(code, stderr).to.equal(0);
    expect(stdout.split('\n')).to.have.length(2);
    return JSON.parse(stdout);
  };
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await writingNothing(stack, () => ops(...args));
    expect([code, stdout], stderr).to.deep.equal([1, '']);
    return stderr.trim();
  };
  const listed = async (...args: string[]): Promise<string[]> =>
    object(await ops('list', ...args, '--json')).data.map(({ id }: { id: string }) => id);

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
    const [one] = object(await ops('list', '--kind', 'fee_mismatch', '--json')).data;
    expect(one).to.include({
      object: 'discrepancy',
      id: fee,
      tenant_id: stack.tenant.tenant_id,
      date: '2026-03-03',
      status: 'open',
    });
    const { stdout } = await ops('list', '--kind', 'fee_mismatch');
    expect(stdout)
      .to.include(fee)
      .and.include('₦25.00')
      .and.include('The fee differs.')
      .and.include(stack.tenant.tenant_id);
  });

  it('closes one for a reason, and records the operator in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const closed = object(await ops('close', id, '--reason', 'Paid by transfer.', '--json'));
    expect(closed).to.include({
      id,
      status: 'closed',
      closed_by: 'operator',
      close_reason: 'Paid by transfer.',
    });
    expect(closed.tenant_id).to.equal(stack.tenant.tenant_id);
    expect(await auditOf(stack, id)).to.deep.equal([
      {
        actor: 'operator',
        action: 'discrepancy.closed',
        detail: 'fee_mismatch of SV-100001-4f7k2m9p: Paid by transfer.',
      },
    ]);
    expect(await refusal('close', id, '--reason', 'Again.')).to.equal(
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
    expect(await refusal('close', none, '--reason', 'Why.')).to.equal(
      `There is no discrepancy ${none}.`,
    );
    expect(await refusal('close', 'rev_1', '--reason', 'Why.')).to.include('is no discrepancy');
    expect(await refusal('close', id)).to.include('--reason');
    expect(await refusal('close', id, '--reason', ' ')).to.equal(
      '--reason must be 1 to 500 characters.',
    );
    expect(await refusal('close', id, '--reason', 'x'.repeat(501))).to.include('--reason');
    expect(await refusal('list', '--limit', '0')).to.include('--limit');
    expect(await refusal('list', '--kind', 'odd')).to.include('--kind');
  });
});
