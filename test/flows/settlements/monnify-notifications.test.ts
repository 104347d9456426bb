import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { HOUR } from '../../support/clock.ts';
import type { ProviderAccountFixture } from '../../support/provider-account.ts';
import type { PaidOut } from '../../support/sandbox-control.ts';
import { describeSettlements } from './describe-settlements.ts';

async function notify(
  account: ProviderAccountFixture,
  { provider_settlement_id: id }: PaidOut,
  naira: string,
  signer = account,
): Promise<number> {
  const { context, sandbox } = account.stack;
  const { secretKey } = sandbox.store.account.get(signer.accountId)!;
  const eventData = {
    amount: naira,
    settlementReference: id,
    settlementTime: '',
    transactionsCount: 1,
    transactions: [],
  };
  const body = JSON.stringify({ eventType: 'SETTLEMENT', eventData });
  const signature = createHmac('sha512', secretKey).update(body).digest('hex');
  const { status } = await fetch(`${context.env.publicUrl}/notifications/${account.connectionId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'monnify-signature': signature },
    body,
  });
  await account.stack.settle();
  return status;
}

describeSettlements(
  'A settlement that Monnify notifies of',
  (account) => {
    it('settles its charges at once, with the bank it went to', async () => {
      const { payCharges, passToPayday, payOut, settlement, readTransaction } = account();
      const [charge] = await payCharges(200_000);
      await passToPayday();
      await payOut();
      const landed = await settlement('landed');
      expect(landed.bank).to.deep.equal({ name: 'Sterling bank', account_last4: '6789' });
      expect(await readTransaction(charge!)).to.include({
        status: 'settled',
        settlement_id: landed.id,
      });
    });

    it('twice lands once', async () => {
      const { stack, name, payCharges, passToPayday, payOut } = account();
      const { passTime, settlement, events, discrepancies } = account();
      await payCharges(200_000);
      await passToPayday();
      await stack.control.faults({ provider: name, duplicate_notifications: true });
      await payOut();
      await passTime(HOUR);
      const landed = await settlement('landed');
      expect(await events()).to.deep.equal([landed]);
      expect(await discrepancies()).to.deep.equal([]);
    });

    it('late, after it was found, has the amount that the notification states', async () => {
      const { payCharges, passToPayday, payOut, passTime, settlement, discrepancy, events } =
        account();
      await payCharges(200_000);
      await passToPayday();
      const paidOut = await payOut({ notify: false, short_by_kobo: 50_000 });
      await passTime(3 * HOUR);
      const found = await settlement('landed');
      expect(found.landed_amount_kobo, 'what its lines add up to').to.equal(
        paidOut.landed_kobo + 50_000,
      );
      expect(await notify(account(), paidOut, (paidOut.landed_kobo / 100).toFixed(2))).to.equal(
        200,
      );
      expect(await settlement('short')).to.include({
        id: found.id,
        landed_amount_kobo: paidOut.landed_kobo,
        shortfall_kobo: 50_000,
      });
      expect(await discrepancy()).to.include({
        kind: 'short',
        settlement_id: found.id,
        amount_kobo: 50_000,
      });
      expect(await events()).to.have.length(1);
    });

    it('again with another amount has its totals computed again, and one event', async () => {
      const { payCharges, passToPayday, payOut, settlement, discrepancy, discrepancies, events } =
        account();
      await payCharges(200_000);
      await passToPayday();
      const paidOut = await payOut();
      const { id } = await settlement('landed');
      expect(await notify(account(), paidOut, '1500.00')).to.equal(200);
      const short = await settlement('short');
      expect(short).to.include({
        id,
        landed_amount_kobo: 150_000,
        expected_amount_kobo: paidOut.landed_kobo,
      });
      expect(await discrepancy()).to.include({
        kind: 'short',
        difference_kobo: paidOut.landed_kobo - 150_000,
      });
      expect(await notify(account(), paidOut, (paidOut.landed_kobo / 100).toFixed(2))).to.equal(
        200,
      );
      expect(await settlement('landed')).to.include({ id, shortfall_kobo: 0 });
      expect((await discrepancies()).map(({ status }) => status)).to.deep.equal(['resolved']);
      expect(await events()).to.have.length(1);
    });
  },
  { only: ['monnify'] },
);
