import { expect } from 'chai';
import { newId } from '../../../../domain/shared/ids.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { useLedger } from '../../ledger.ts';
import { noAnswer, openRefundFixture, throwing } from '../refund-fixture.ts';

describe('A refund that a person clears up', () => {
  const ledger = useLedger();
  const fixture = forEachTest(() => openRefundFixture(ledger));
  let id: string;
  beforeEach(async () => {
    await fixture.pay(500_000);
    id = await fixture.requestRefund();
  });

  const vanish = async (lookUps: number) => {
    const { answer } = fixture;
    fixture.answer = noAnswer;
    await fixture.runJob(id, 1 + lookUps);
    fixture.answer = answer;
  };
  const refusalOf = (tenantId?: string) =>
    writingNothing({ context: ledger }, () =>
      fixture.clearUp(id, 'send again', tenantId).then(String, ({ message }: Error) => message),
    );

  it('is sent once more when they say that the provider has none', async () => {
    await vanish(3);
    expect(await fixture.statuses()).to.deep.equal(['unresolved']);
    await fixture.clearUp(id, 'send again');
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'completed', attention: null });
    expect(fixture.sent).to.deep.equal([500_000, 500_000]);
    const audit = 'select actor, action from audit_entries where subject_id = $1 order by id desc';
    const [last] = await ledger.rows(audit, id);
    expect(last).to.deep.equal({ actor: 'key_test', action: 'refund.sent_again' });
  });

  it('fails when they give it up, and its amount may be refunded again', async () => {
    await vanish(3);
    await fixture.clearUp(id, 'give up');
    expect(await fixture.refund()).to.include({ status: 'failed', attention: null });
    await fixture.runJob(await fixture.requestRefund());
    expect(await fixture.statuses()).to.deep.equal(['failed', 'completed']);
  });

  it('may be given up, but not sent again, when it is approved and cannot be sent', async () => {
    fixture.answer = throwing('retryable');
    await fixture.runJob(id);
    expect(await refusalOf()).to.include('sends it by itself');
    await fixture.clearUp(id, 'give up');
    expect(await fixture.refund()).to.include({
      ...{ status: 'failed', failure_message: 'It could not be sent, and was given up.' },
    });
    expect(await ledger.endings(id)).to.deep.equal(['refund.failed']);
  });

  it('is left alone while it is looked for, once the provider has it or it ended, and by another tenant', async () => {
    await vanish(0);
    expect(await refusalOf()).to.include('still looking for this refund');
    expect(await refusalOf(newId('ten', ledger.clock()))).to.include('no such refund');
    for (const [status, refusal] of [
      ['processing', 'decides how it ends'],
      ['needs_attention', 'decides how it ends'],
      ['failed', 'nothing to clear up'],
    ] as const) {
      await ledger.rows('update refunds set status = $2 where id = $1', id, status);
      expect(await refusalOf()).to.include(refusal);
    }
  });
});
