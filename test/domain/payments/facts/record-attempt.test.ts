import { expect } from 'chai';
import { SECOND } from '../../../support/clock.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { useLedger } from '../../ledger.ts';
import {
  accepted,
  declined,
  linkLost,
  openCharge,
  paid,
  recordNotice,
  refused,
  send,
  unpaid,
  verification,
} from '../../notices.ts';

describe('A notice about an attempt', () => {
  const ledger = useLedger(['provider_a', 'provider_b', 'provider_c']);

  const statusesOf = async (id: string) => (await ledger.attempts(id)).map(({ status }) => status);

  describe('refused', () => {
    it('opens an attempt at the next connection in order, and the charge waits', async () => {
      const { id, attemptId } = await ledger.newCharge();
      const jobs = await recordNotice(ledger, attemptId, refused);
      const [first, second] = await ledger.attempts(id);
      expect([first, second].map((attempt) => attempt?.connection_id)).to.deep.equal(
        ledger.connections.slice(0, 2),
      );
      expect(second).to.include({ status: 'queued', slot: 'provider_b' });
      expect(second!.reference)
        .to.match(/^SV-\d+-[0-9a-z]{8}$/)
        .and.not.equal(first!.reference);
      expect(jobs).to.deep.equal([
        {
          queue: 'charge-create',
          id: second!.id,
          group: ledger.connections[1],
          dueAt: second!.due_at,
        },
      ]);
      expect((await ledger.charge(id)).status).to.equal('initiated');
    });

    it('fails the charge in plain words when every connection refused', async () => {
      const { id } = await ledger.newCharge();
      for (let made = 0; made < 3; made++)
        await recordNotice(ledger, (await ledger.attempts(id))[made]!.id, refused);
      const charge = await ledger.charge(id);
      expect(charge).to.include({ status: 'failed', failure_cause: 'refused' });
      expect(charge.failure_message).to.equal(
        'No provider took the payment: Integration has been deactivated',
      );
      expect(await ledger.events(id)).to.deep.equal(['charge.failed']);
    });

    it('skips a connection that is disabled', async () => {
      const { id, attemptId } = await ledger.newCharge();
      await ledger.rows(
        'update connections set disabled_at = $2 where id = $1',
        ledger.connections[1],
        ledger.clock(),
      );
      await recordNotice(ledger, attemptId, refused);
      await ledger.rows(
        'update connections set disabled_at = null where id = $1',
        ledger.connections[1],
      );
      expect((await ledger.attempts(id))[1]!.slot).to.equal('provider_c');
    });
  });

  describe('declined', () => {
    it('fails the charge with the provider’s message, and stores the answer once', async () => {
      const { id, attempt } = await openCharge(ledger);
      await recordNotice(ledger, attempt.id, declined);
      expect(await ledger.charge(id)).to.include({
        ...{ status: 'failed', failure_cause: 'declined', failure_message: 'Insufficient funds' },
      });
      const lines = await ledger.rows(
        'select what from timeline_entries where charge_id = $1 and evidence_sha256 is not null order by position',
        id,
      );
      expect(lines.map(({ what }) => what)).to.deep.equal(['attempt.declined', 'charge.failed']);
      expect(await ledger.rows('select 1 from evidence where charge_id = $1', id)).to.have.length(
        1,
      );
    });

    it('does not fail the charge while another attempt may still take money', async () => {
      const { id, attemptId } = await ledger.newCharge();
      await send(ledger, attemptId);
      await recordNotice(ledger, attemptId, linkLost);
      await recordNotice(ledger, (await ledger.attempts(id))[1]!.id, declined);
      expect((await ledger.charge(id)).status).to.equal('initiated');
      await recordNotice(ledger, attemptId, declined);
      expect((await ledger.charge(id)).status).to.equal('failed');
    });
  });

  describe('whose link was lost', () => {
    it('opens another attempt at the same connection at once, and keeps checking the lost one', async () => {
      const { id, attemptId } = await ledger.newCharge();
      await send(ledger, attemptId);
      const jobs = await recordNotice(ledger, attemptId, linkLost);
      const [lost, replacement] = await ledger.attempts(id);
      expect([lost!.status, replacement!.status]).to.deep.equal(['lost', 'queued']);
      expect(replacement!.connection_id).to.equal(lost!.connection_id);
      expect(replacement!.due_at!.getTime()).to.be.at.most(ledger.clock().getTime());
      expect(lost!.due_at!.getTime() - lost!.sent_at!.getTime()).to.equal(10 * SECOND);
      expect(jobs.map((job) => [job.queue, job.id])).to.deep.equal([
        ['charge-create', replacement!.id],
        ['charge-check', lost!.id],
      ]);
    });

    it('opens no attempt when the charge is over', async () => {
      const { id, attemptId } = await ledger.newCharge();
      await send(ledger, attemptId);
      await ledger.rows(
        `update charges set status = 'failed', failed_at = $2 where id = $1`,
        id,
        ledger.clock(),
      );
      await recordNotice(ledger, attemptId, linkLost);
      expect(await statusesOf(id)).to.deep.equal(['lost']);
    });
  });

  describe('that is unclear', () => {
    it('changes no status and opens one review', async () => {
      const { id, attempt } = await openCharge(ledger);
      const strange = verification('unknown', { status: 'half-paid' });
      await recordNotice(ledger, attempt.id, strange);
      await writingNothing({ context: ledger }, () => recordNotice(ledger, attempt.id, strange));
      expect(await ledger.charge(id)).to.deep.include({
        status: 'pending',
        review: ['unknown_status'],
      });
      expect(await statusesOf(id)).to.deep.equal(['open']);
    });
  });

  it('recorded again writes nothing', async () => {
    const { attempt } = await openCharge(ledger);
    const notices = [
      accepted,
      unpaid,
      verification('absent'),
      declined,
      paid(attempt),
      verification('ended'),
      linkLost,
      refused,
    ];
    for (const notice of notices) {
      await recordNotice(ledger, attempt.id, notice);
      await writingNothing({ context: ledger }, () => recordNotice(ledger, attempt.id, notice));
    }
  });
});
