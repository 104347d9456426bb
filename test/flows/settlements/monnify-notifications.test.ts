import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { DAY, HOUR } from '../../support/clock.ts';
import { connectionOf, type ProviderAccountFixture } from '../../support/provider-account.ts';
import type { PaidOut } from '../../support/sandbox-control.ts';
import { sandboxAccount } from '../../support/sandbox-store.ts';
import { describeSettlements } from './describe-settlements.ts';

/** Sends a notification of a settlement that is signed with the key of an account. */
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

    it('not at all is found by a payment it holds, within a day', async () => {
      const { payCharges, passToPayday, payOut, passTime, reconcile, settlement } = account();
      const { settlements, referencesOf, readTransaction, discrepancies, events } = account();
      const charges = await payCharges(200_000, 100_000);
      await passToPayday();
      const { landed_kobo: landedKobo } = await payOut({ notify: false });
      await reconcile();
      expect((await settlements()).map(({ status }) => status)).to.deep.equal(['expected']);
      await passTime(2 * HOUR); // past midnight
      const landed = await settlement('landed');
      const amounts = {
        landed_amount_kobo: landedKobo,
        expected_amount_kobo: landedKobo,
        shortfall_kobo: 0,
        transaction_count: 2,
      };
      expect(landed).to.include(amounts);
      expect(await referencesOf(landed)).to.deep.equal(
        charges.map(({ reference }) => reference).sort(),
      );
      for (const charge of charges)
        expect(await readTransaction(charge)).to.include({
          status: 'settled',
          settlement_id: landed.id,
        });
      await passTime(DAY);
      expect(await discrepancies()).to.deep.equal([]);
      expect(await events()).to.deep.equal([landed]);
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

    it("under another account's signature is refused, and changes nothing", async () => {
      const { stack, payCharges, passToPayday, payOut, settlement, settlements } = account();
      const other = await stack.newTenant();
      const otherId = await connectionOf({ ...stack, tenant: other }, 'provider_c');
      await payCharges(200_000);
      await passToPayday();
      const paidOut = await payOut({ notify: false });
      const before = await settlements();
      expect(
        await notify(account(), paidOut, '1.00', {
          ...account(),
          accountId: sandboxAccount(stack, otherId).id,
        }),
      ).to.equal(401);
      expect(await settlements()).to.deep.equal(before);
      expect(await notify(account(), paidOut, (paidOut.landed_kobo / 100).toFixed(2))).to.equal(
        200,
      );
      expect(await settlement('landed')).to.include({ landed_amount_kobo: paidOut.landed_kobo });
    });
  },
  { only: ['monnify'] },
);
