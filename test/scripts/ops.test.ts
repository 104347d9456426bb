import { expect } from 'chai';
import { ops as operatorProgram } from '../../scripts/ops/program.ts';
import { tenant as program } from '../../scripts/tenant/program.ts';
import { auditOf } from '../support/audit.ts';
import { openCharge, paidCharge, stored } from '../support/charges.ts';
import { addDiscrepancy } from '../support/discrepancies.ts';
import { writingNothing } from '../support/row-counts.ts';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { opsOf, settingsOf } from './ops-fixture.ts';

describe('npm run ops', () => {
  const stack = useStack();

  const ops = opsOf(stack);
  const discrepancy = opsOf(stack, 'discrepancy');
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

  it('lets one of the OPERATORS decide, by name, and nobody else', async () => {
    const { name, password, line } = await ops.object('operator', 'ada', '--json');
    const words = ['operator', 'bisi'];
    const { stdout: bisi, stderr } = await ops(...words);
    expect(stderr).to.match(/^The password of bisi, shown this once: [\w-]{20}\n$/);
    await inReview();
    const { data } = await ops.object('review', 'list', '--json');
    const accept = (env: Record<string, string>) =>
      runHere(operatorProgram, ['review', 'accept', data[0].id], {
        ...{ ...settings(), OPERATORS: `${bisi}${line}`, OPERATOR_USER: name, ...env },
      });
    const refused = await writingNothing(stack, () => accept({ OPERATOR_PASSWORD: 'guessed' }));
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      'Say who you are: set OPERATOR_USER and OPERATOR_PASSWORD to those of one of the OPERATORS.\n',
    ]);
    expect((await accept({ OPERATOR_PASSWORD: password })).code).to.equal(0);
    const [entry] = await auditOf(stack, data[0].id);
    expect(entry).to.include({ actor: 'operator:ada', action: 'review.accepted' });
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

  const listed = async (...args: string[]): Promise<string[]> =>
    (await discrepancy.object('list', ...args, '--json')).data.map(({ id }: { id: string }) => id);

  it('lists discrepancies of every tenant, by default the open ones', async () => {
    expect((await discrepancy('list')).stdout).to.equal('There is no such discrepancy.\n');
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
    const [one] = (await discrepancy.object('list', '--kind', 'fee_mismatch', '--json')).data;
    const { tenant_id } = stack.tenant;
    expect(one).to.include({
      ...{ object: 'discrepancy', id: fee, tenant_id, date: '2026-03-03', status: 'open' },
    });
    const { stdout } = await discrepancy('list', '--kind', 'fee_mismatch');
    for (const part of [fee, '₦25.00', 'The fee differs.', tenant_id])
      expect(stdout).to.include(part);
  });

  it('closes a discrepancy for a reason, and records the operator in the audit log', async () => {
    const id = await addDiscrepancy(stack);
    const closed = await discrepancy.object('close', id, '--reason', 'Paid by transfer.', '--json');
    expect(closed).to.include({
      ...{ id, status: 'closed', closed_by: 'operator', close_reason: 'Paid by transfer.' },
      tenant_id: stack.tenant.tenant_id,
    });
    const detail = 'fee_mismatch of SV-100001-4f7k2m9p: Paid by transfer.';
    const entry = { actor: 'operator', action: 'discrepancy.closed', detail };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
    expect(await discrepancy.refusal('close', id, '--reason', 'Again.')).to.equal(
      'This discrepancy is closed already, with the reason it shows.',
    );
    const other = await addDiscrepancy(stack, { mode: 'live' });
    expect((await discrepancy('close', other, '--reason', 'As agreed.')).stdout)
      .to.include(`${other}  closed`)
      .and.include('As agreed.');
  });

  it('refuses in one sentence', async () => {
    const { reference } = await openCharge(stack);
    const id = await addDiscrepancy(stack);
    const none = 'dsc_01h455vb4pex5vsknk084sn02q';
    await ops.refusals([
      [`discrepancy close ${none} --reason Why.`, `There is no discrepancy ${none}.`],
      ['discrepancy close rev_1 --reason Why.', 'is no discrepancy'],
      [`discrepancy close ${id}`, '--reason'],
      [`discrepancy close ${id} --reason \t`, '--reason must be 1 to 500 characters.'],
      [`discrepancy close ${id} --reason ${'x'.repeat(501)}`, '--reason'],
      ['discrepancy list --limit 0', '--limit'],
      ['discrepancy list --kind odd', '--kind'],
      ['review accept rev_01h455vb4pex5vsknk084sn02q', 'There is no review rev_'],
      ['review accept SV-1', 'is no review'],
      ['review list --limit 0', '--limit'],
      [`dispute open --charge ${reference}`, 'was not paid'],
      ['dispute open --charge SV-999999999', 'There is no charge'],
      ['dispute lost --charge order-1', 'SV-<number>'],
      [`dispute won --charge ${reference} --amount -5`, '--amount'],
    ]);
  });

  describe('beside npm run tenant', () => {
    const create = (...args: string[]) =>
      runHere(program, ['create', ...args], { ...settingsOf(stack), SANDBOX_URL: '' });

    it('shows secrets once, as text or JSON, and the key works', async () => {
      const shown = await create('--name', 'Ada', '--email', 'ada@shop.example');
      expect([shown.code, shown.stderr]).to.deep.equal([0, '']);
      expect(shown.stdout).to.match(/^Shown once, kept nowhere:\n/);
      const [, key] = /^ {2}secret_key_test +(\S+)$/m.exec(shown.stdout)!;
      expect((await stack.api.get('/refunds', { key: key! })).status).to.equal(200);
      const { stdout } = await create('--name', 'Ben', '--email', 'ben@shop.example', '--json');
      expect(stdout.split('\n')).to.have.length(2);
      expect(JSON.parse(stdout).owner.email).to.equal('ben@shop.example');
    });

    it('takes an e-mail address that another business has, and trims the name', async () => {
      const { email } = stack.tenant.owner;
      const { stdout } = await create('--name', ' Eve ', '--email', email, '--json');
      const [row] = await stack.sql<{ name: string }>`select name from tenants
        where id = ${JSON.parse(stdout).tenant_id}`;
      expect(row!.name).to.equal('Eve');
    });

    it('refuses in one sentence', async () => {
      const refused = [
        [['--name', ' ', '--email', 'eve@shop.example'], '--name must be 1 to 100 characters.'],
        [['--name', 'Eve', '--email', 'eve'], '--email must be an e-mail address.'],
        [
          ['--name', 'Eve', '--email', 'eve@shop.example', '--sandbox'],
          '--sandbox needs SANDBOX_URL, the address of the sandbox.',
        ],
        [['--name', 'Eve'], "error: required option '--email <email>' not specified"],
      ] as const;
      for (const [args, sentence] of refused) {
        const { code, stdout, stderr } = await writingNothing(stack, () => create(...args));
        expect([code, stdout, stderr.trim()]).to.deep.equal([1, '', sentence]);
      }
    });
  });
});
