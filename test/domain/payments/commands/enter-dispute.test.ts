import { expect } from 'chai';
import { enterDispute } from '../../../../domain/payments/commands/enter-dispute.ts';
import type { DisputeStatus } from '../../../../domain/payments/dispute/transitions.ts';
import { useLedger } from '../../ledger.ts';
import { openCharge } from '../../notices.ts';
import { useDisputes } from '../dispute-fixture.ts';

describe('A dispute that an operator enters', () => {
  const ledger = useLedger();
  const { charge, record, rows, statusNow } = useDisputes(ledger);

  const enter = (
    state: DisputeStatus,
    amountKobo: number | null = null,
    note: string | null = null,
  ) =>
    ledger.tx(async (tx) => {
      const { number: chargeNumber } = await ledger.charge(charge.id);
      return enterDispute(tx, { chargeNumber, state, amountKobo, note });
    });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'not refused',
      (error: Error) => error.message,
    );
  const audited = () =>
    ledger.rows(
      'select action, actor, detail from audit_entries where subject_id in (select id from disputes where charge_id = $1) order by id',
      charge.id,
    );

  it('opens and is decided, with audit entries of the operator', async () => {
    await enter('open', 100_000, 'By e-mail of 3 March.');
    expect(await statusNow()).to.equal('disputed');
    await enter('won');
    expect(await statusNow()).to.equal('succeeded');
    expect((await rows())[0]).to.include({
      status: 'won',
      amount_kobo: 100_000,
      entered_by: 'operator',
      provider_dispute_id: null,
    });
    const reference = `SV-${(await ledger.charge(charge.id)).number}`;
    expect(await audited()).to.deep.equal([
      {
        action: 'dispute.opened',
        actor: 'operator',
        detail: `${reference}: By e-mail of 3 March.`,
      },
      { action: 'dispute.won', actor: 'operator', detail: reference },
    ]);
  });

  it('is refused when another is open, when none is open to win, when it is decided, or when it exceeds the payment', async () => {
    expect(await refusal(enter('won'))).to.equal('No dispute is open that could be won.');
    expect(await refusal(enter('open', 500_001))).to.equal(
      'No more than what was paid can be disputed: ₦5,000.00.',
    );
    await enter('open');
    expect(await refusal(enter('open'))).to.match(/^The payment is disputed already, by dsp_/);
    await enter('lost');
    expect(await refusal(enter('lost'))).to.match(/was lost already/);
    expect(await refusal(enter('won'))).to.match(/was lost already/);
    expect(await refusal(enter('open'))).to.equal('The charge was refunded in full already.');
    expect(await rows()).to.have.length(1);
  });

  it('is refused for a charge that was not paid', async () => {
    charge.id = (await openCharge(ledger)).id;
    expect(await refusal(enter('open'))).to.match(/was not paid/);
  });

  it('becomes the provider’s dispute once the provider reports it', async () => {
    await enter('open');
    await record('open');
    await record('won');
    expect(await rows()).to.have.length(1);
    expect((await rows())[0]).to.include({
      status: 'won',
      provider_dispute_id: `dispute-of-${charge.paymentId}`,
    });
    expect(await statusNow()).to.equal('succeeded');
  });

  it('won by hand, the provider’s next dispute is one of its own', async () => {
    await enter('open');
    await enter('won');
    await record('open');
    expect((await rows()).map(({ status, entered_by: by }) => `${by} ${status}`)).to.deep.equal([
      'operator won',
      'provider open',
    ]);
    expect(await statusNow()).to.equal('disputed');
    await record('lost');
    expect(await statusNow()).to.equal('refunded');
  });

  it('won by hand, and reported as won by the provider: it is the same', async () => {
    await enter('open');
    await enter('won');
    await record('won');
    expect(await rows()).to.have.length(1);
    expect(await statusNow()).to.equal('succeeded');
  });
});
