import { expect } from 'chai';
import { writeCapture } from '../../../../domain/payments/capture/store.ts';
import { useLedger } from '../../ledger.ts';
import { captured } from '../charge/fixture.ts';

describe('A capture, written to the database', () => {
  const ledger = useLedger();

  type Written = { chargeId: string; attemptId: string; status: 'on_hold' | 'applied' };
  const write = ({ chargeId, attemptId, status }: Written) =>
    ledger.tx(async (tx) => {
      const [connectionId] = ledger.connections;
      const providerPaymentId = `pay-${attemptId}`;
      const stated = captured({ attemptId, connectionId: connectionId!, providerPaymentId });
      await writeCapture(tx, chargeId, stated, { id: `cap_${attemptId}`, status });
    });
  const refusalOf = (written: Written) =>
    write(written).then(String, ({ message }: Error) => message);

  it('takes a new status while it is on hold, and keeps it from then on', async () => {
    const { id: chargeId, attemptId } = await ledger.newCharge();
    await write({ chargeId, attemptId, status: 'on_hold' });
    await write({ chargeId, attemptId, status: 'applied' });
    expect(await refusalOf({ chargeId, attemptId, status: 'on_hold' })).to.include('is final');
    const rows = await ledger.rows('select status from captures where charge_id = $1', chargeId);
    expect(rows).to.deep.equal([{ status: 'applied' }]);
  });

  it('stays with its charge', async () => {
    const { id: chargeId, attemptId } = await ledger.newCharge();
    await write({ chargeId, attemptId, status: 'on_hold' });
    const other = await ledger.newCharge();
    const moved = { chargeId: other.id, attemptId, status: 'applied' } as const;
    expect(await refusalOf(moved)).to.include("is another charge's");
  });
});
