import { expect } from 'chai';
import {
  findRefundOf,
  listRefundsOf,
} from '../../../../domain/payments/refund-listing/find-refunds.ts';
import { paymentsRetention } from '../../../../domain/payments/retention.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { deleteOldRows } from '../../../../domain/shared/retention.ts';
import { DAY } from '../../../support/clock.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { openCharge, paid, recordNotice } from '../../notices.ts';
import { errorOf } from '../../providers/calls.ts';
import { openMemoryAccount } from './memory-account.ts';

describe('The refunds of a payment at a provider that lists them by account', () => {
  const ledger = useLedgerForEach();
  const account = forEachTest(async () => openMemoryAccount(ledger));

  const contextOf = () => ({
    ...{ inTx: ledger.inTx, clock: ledger.clock, provider: account.provider },
    ...{ connectionId: ledger.connections[0]!, timeoutMs: 1_000, totalMs: 1_000 },
  });
  const payment = () => ({
    ...{ providerPaymentId: 'ours', reference: 'SV-1', capturedAt: ledger.clock() },
  });
  const list = async () =>
    (await listRefundsOf(contextOf(), payment())).map(({ providerRefundId, refundId, state }) => [
      ...[providerRefundId, refundId, state],
    ]);

  it('are those in the copy, each as it stands now, with our id where only the list names it', async () => {
    const refundId = newId('ref', ledger.clock());
    account.add(1, { id: '1', paymentId: 'ours', refundId, state: 'processing' });
    account.add(30);
    account.add(1, { id: '2', paymentId: 'ours' });
    expect(await list()).to.deep.equal([
      ['1', refundId, 'processing'],
      ['2', null, 'completed'],
    ]);
    account.refunds[0]!.state = 'failed';
    account.calls.length = 0;
    expect((await list())[0]).to.deep.equal(['1', refundId, 'failed']);
    expect(account.calls).to.have.members(['page 1', 'refund 1', 'refund 2']);
  });

  it('are not asked about once our records show that they completed', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt));
    await ledger.db.query(
      `insert into refunds (id, tenant_id, mode, charge_id, connection_id, provider_refund_id,
         amount_kobo, reason, status, requested_by, created_at)
       select $2, tenant_id, mode, id, $3, '1', 10000, 'x', 'completed', 'x', $4
       from charges where id = $1`,
      [id, newId('ref', ledger.clock()), ledger.connections[0], ledger.clock()],
    );
    account.add(1, { id: '1', paymentId: 'ours' });
    expect(await list()).to.deep.equal([]);
    expect(account.calls).to.not.include('refund 1');
  });

  it('are not stated while the list is too long to read at once, and its task begins', async () => {
    await ledger.db.query(
      `insert into connection_tasks (id, connection_id, task) values ('ctk_1', $1, 'refunds')`,
      [ledger.connections[0]],
    );
    account.add(1, { paymentId: 'ours' });
    account.add(250);
    const error = await errorOf(listRefundsOf(contextOf(), payment()));
    expect(error).to.include({ kind: 'unavailable', stage: 'list refunds', retryAfterMs: 5_000 });
    const [task] = await ledger.rows('select due_at from connection_tasks');
    expect(task.due_at).to.be.instanceOf(Date);
    expect(await list()).to.have.length(1);
  });

  it('are kept in the copy until our records show them, and those of other payments for half a year', async () => {
    const { attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt));
    account.add(1, { id: '1', paymentId: `pay-${attempt.reference}` });
    account.add(1, { id: '2' });
    await list();
    ledger.clock.advance(181 * DAY);
    const rule = paymentsRetention.find(({ table }) => table === 'listed_refunds')!;
    await deleteOldRows({ sql: ledger.db, now: ledger.clock() }, rule, 10);
    const left = await ledger.rows('select provider_refund_id as id from listed_refunds');
    expect(left).to.deep.equal([{ id: '1' }]);
  });

  it('are not stated where one is listed and cannot be found', async () => {
    account.add(1, { paymentId: 'ours' });
    account.provider.findRefund = async () => undefined;
    expect(await errorOf(list())).to.include({
      ...{ kind: 'unknown', message: 'refund 1000 is listed and not found' },
    });
  });

  it('are looked through for one of ours whose answer was lost', async () => {
    const refundId = newId('ref', ledger.clock());
    const wanted = { refundId, providerRefundId: null, payment: payment() };
    account.add(3, { paymentId: 'ours' });
    expect(await findRefundOf(contextOf(), wanted)).to.equal(undefined);
    account.add(25);
    account.add(1, { id: '7', paymentId: 'ours', refundId, state: 'processing' });
    account.calls.length = 0;
    expect(await findRefundOf(contextOf(), wanted)).to.include({
      ...{ providerRefundId: '7', refundId, state: 'processing' },
    });
    expect(account.calls).to.deep.equal(['page 1', 'page 2', 'refund 7']);
  });
});
