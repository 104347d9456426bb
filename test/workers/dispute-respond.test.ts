import { expect } from 'chai';
import { respondToDispute } from '../../domain/payments/commands/respond-to-dispute.ts';
import type {
  DisputeResponseRow,
  ResponseContent,
} from '../../domain/payments/dispute-response/row.ts';
import { ERASED_EMAIL } from '../../domain/payments/entities/charge.ts';
import { recordDispute } from '../../domain/payments/facts/record-dispute.ts';
import type { DisputeResponse, ProviderDispute } from '../../domain/providers/port/dispute.ts';
import type { Provider } from '../../domain/providers/port/provider.ts';
import { respondToDispute as respondJob } from '../../workers/dispute-respond.ts';
import { runJob } from '../../workers/run-job.ts';
import { type Ledger, useLedger } from '../domain/ledger.ts';
import { openCharge, paid, recordNotice } from '../domain/notices.ts';
import { contextOf, throwing } from '../domain/payments/refund-fixture.ts';
import { DAY, HOUR } from '../support/clock.ts';
import { forEachTest } from '../support/for-each-test.ts';

describe('An answer to a dispute', () => {
  const ledger = useLedger();
  const fixture = forEachTest(() => openFixture(ledger));

  it('is sent once, however often its job runs, and does not decide the dispute', async () => {
    const { id } = await fixture.respond();
    await Promise.all(Array.from({ length: 8 }, () => fixture.runNow(id)));
    await fixture.runJob(id);
    expect(fixture.sent).to.deep.equal([
      {
        ...{ providerDisputeId: fixture.dispute.providerDisputeId, kind: 'evidence' },
        ...{ amountKobo: 500_000, details: 'Two.', file: { type: 'png', bytes: PNG } },
        customer: { email: 'ada@example.com', name: 'Ada Obi', phone: '+2348012345678' },
        delivery: { address: null, date: '2026-03-01' },
      },
    ]);
    expect(await fixture.response(id)).to.include({ status: 'sent', failure_message: null });
    expect(await fixture.disputeStatus()).to.equal('open');
    expect(await fixture.said()).to.deep.equal([
      ...['dispute.opened', 'dispute.evidence_given', 'dispute.response_sent'],
    ]);
  });

  it('names nobody where the payer was erased and the merchant names none', async () => {
    await ledger.rows(`update charges set email = '${ERASED_EMAIL}', name = null, phone = null`);
    const { id } = await fixture.respond('evidence', { details: 'Two.' });
    await fixture.runNow(id);
    expect(fixture.sent[0]!.customer).to.deep.equal({ email: null, name: null, phone: null });
  });

  it('that may have arrived is not sent again where the provider shows the dispute answered', async () => {
    const { id } = await fixture.respond();
    fixture.answer = async () => {
      fixture.dispute.awaitsResponse = false;
      return throwing('unknown', 'no answer')();
    };
    await fixture.runJob(id);
    expect(await fixture.response(id)).to.include({ status: 'sending' });
    await fixture.runJob(id);
    expect(fixture.sent).to.have.length(1);
    expect(await fixture.response(id)).to.include({ status: 'sent' });
  });

  it('whose outcome is unknown is not told as sent where the dispute was lost meanwhile', async () => {
    const { id } = await fixture.respond();
    fixture.answer = throwing('unknown', 'no answer');
    await fixture.runJob(id);
    Object.assign(fixture.dispute, { state: 'lost', awaitsResponse: false });
    await fixture.runJob(id);
    const { status, failure_message: message } = await fixture.response(id);
    expect(status).to.equal('refused');
    expect(message).to.include('was lost before');
  });

  it('that did not arrive is sent again, and a refusal because the first one did counts as sent', async () => {
    const { id } = await fixture.respond();
    fixture.answer = throwing('unknown', 'no answer');
    await fixture.runJob(id);
    fixture.answer = async () => {
      fixture.dispute.awaitsResponse = false; // the first one arrives late
      return throwing('refused', 'Dispute has been resolved')();
    };
    await fixture.runJob(id);
    expect(fixture.sent).to.have.length(2);
    expect(await fixture.response(id)).to.include({ status: 'sent', failure_message: null });
  });

  it('that is refused says why, and another may follow', async () => {
    const { id } = await fixture.respond();
    fixture.answer = throwing('refused', 'File was not uploaded');
    await fixture.runJob(id);
    expect(await fixture.response(id)).to.include({
      ...{ status: 'refused', failure_message: 'File was not uploaded', due_at: null },
    });
    fixture.answer = async () => {};
    const { id: next } = await fixture.respond('acceptance');
    await fixture.runJob(next);
    expect(fixture.sent.map(({ kind }) => kind)).to.deep.equal(['evidence', 'acceptance']);
  });

  it('is not sent to a dispute that was answered at the provider', async () => {
    const { id } = await fixture.respond();
    fixture.dispute.awaitsResponse = false;
    await fixture.runJob(id);
    expect(fixture.sent).to.deep.equal([]);
    const { status, failure_message: message } = await fixture.response(id);
    expect(status).to.equal('refused');
    expect(message).to.include('at the provider before');
  });

  it('waits for a provider that cannot be reached, for 7 days', async () => {
    const { id } = await fixture.respond();
    fixture.answer = throwing('retryable');
    await fixture.runJob(id);
    expect(await fixture.response(id)).to.include({ status: 'waiting' });
    fixture.list = throwing('unavailable');
    await fixture.runJob(id);
    expect(await fixture.response(id)).to.include({ status: 'waiting' });
    ledger.clock.advance(7 * DAY);
    await fixture.runJob(id);
    const { status, failure_message: message } = await fixture.response(id);
    expect(status).to.equal('refused');
    expect(message).to.match(/^It could not be sent for 7 days: /);
  });

  it('is sent for 7 days from the second Owner’s word, however long ago the first one’s is', async () => {
    const [ada, bola] = await fixture.twoOwners();
    await ledger.rows('update disputes set respond_by = null');
    await fixture.respond('acceptance', CONTENT, ada);
    ledger.clock.advance(8 * DAY);
    const { id } = await fixture.respond('acceptance', CONTENT, bola);
    fixture.answer = throwing('retryable');
    await fixture.runJob(id);
    expect(await fixture.response(id)).to.include({ status: 'waiting' });
  });

  it('records how the dispute ended, where the provider says so when it is looked up', async () => {
    const { id } = await fixture.respond('acceptance');
    await fixture.runJob(id);
    Object.assign(fixture.dispute, { state: 'lost', awaitsResponse: false });
    await ledger.rows(
      `update dispute_responses set status = 'sending', due_at = $2 where id = $1`,
      ...[id, ledger.clock()],
    );
    await fixture.runJob(id);
    expect(await fixture.disputeStatus()).to.equal('lost');
  });

  it('is taken by one of two requests, and by none after the deadline or the end', async () => {
    const both = await Promise.allSettled([fixture.respond(), fixture.respond('acceptance')]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    await ledger.rows('delete from dispute_responses');
    ledger.clock.advance(DAY);
    expect(await fixture.refusal()).to.include('time for an answer is over');
    await fixture.report('won');
    expect(await fixture.refusal()).to.include('was won already');
  });
});

const CONTENT = {
  ...{ details: 'Two.', customer_email: 'ada@example.com', customer_name: 'Ada Obi' },
  ...{ customer_phone: '+2348012345678', delivery_date: '2026-03-01' },
};
const PNG = Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1');

/** A paid charge whose payer's bank asks for it back, until a day from now. */
async function openFixture(ledger: Ledger) {
  const { id: chargeId, attempt } = await openCharge(ledger);
  await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 500_000 }));
  const { tenant_id: tenantId } = await ledger.charge(chargeId);
  const actor = { tenantId, mode: 'test' as const, subjectId: 'key_test', memberId: null };
  const provider = {
    listDisputes: () => fixture.list(),
    async respondToDispute(response: DisputeResponse) {
      fixture.sent.push(response);
      await fixture.answer();
    },
  } as unknown as Provider;
  const context = { ...contextOf(ledger, () => provider), vault: ledger.vault };
  const fixture = {
    dispute: {
      ...{ providerDisputeId: `of-${chargeId}`, providerPaymentId: `pay-${attempt.reference}` },
      ...{ state: 'open', awaitsResponse: true, status: 'open', amountKobo: null, raw: '{}' },
      respondBy: new Date(ledger.clock().getTime() + DAY - HOUR),
    } as ProviderDispute,
    list: async (): Promise<ProviderDispute[]> => [fixture.dispute],
    sent: [] as DisputeResponse[],
    answer: async (): Promise<void> => {
      fixture.dispute.awaitsResponse = false;
    },
    report: (state: 'open' | 'won') =>
      ledger.tx((tx) => recordDispute(tx, attempt.connection_id, { ...fixture.dispute, state })),
    respond: (
      kind: 'evidence' | 'acceptance' = 'evidence',
      content: ResponseContent = CONTENT,
      memberId: string | null = null,
    ) =>
      ledger.inTx((tx) =>
        respondToDispute(tx, { ...actor, memberId }, { disputeId, kind, file: PNG, content }),
      ),
    /** Of a business that wants two for money that goes back. */
    async twoOwners() {
      await ledger.rows(
        'update tenants set refunds_require_second_person = true where id = $1',
        tenantId,
      );
      const ids = ['one', 'two'].map((name) => `mem_${name}_${tenantId}`);
      await ledger.rows(
        `insert into members (id, tenant_id, role, email, password_hash, created_at)
         select id, $2, 'owner', id || '@test.example', 'none', now() from unnest($1::text[]) id`,
        ...[ids, tenantId],
      );
      return ids;
    },
    refusal: () =>
      fixture.respond().then(
        () => 'it was taken',
        (error: Error) => error.message,
      ),
    async runJob(id: string): Promise<void> {
      const { due_at: dueAt } = await fixture.response(id);
      ledger.clock.advance(Math.max(0, (dueAt?.getTime() ?? 0) - ledger.clock().getTime()));
      await fixture.runNow(id);
    },
    runNow: (id: string) => runJob(context, respondJob as never, { id }),
    async response(id: string): Promise<DisputeResponseRow> {
      const [row] = await ledger.rows('select * from dispute_responses where id = $1', id);
      return row;
    },
    disputeStatus: async () =>
      (await ledger.rows('select status from disputes where id = $1', disputeId))[0].status,
    said: async () =>
      (
        await ledger.rows(
          `select what from timeline_entries where charge_id = $1 and what like 'dispute.%'
           order by id`,
          chargeId,
        )
      ).map(({ what }) => what),
  };
  await fixture.report('open');
  const [{ id: disputeId }] = await ledger.rows(
    'select id from disputes where charge_id = $1',
    chargeId,
  );
  return fixture;
}
