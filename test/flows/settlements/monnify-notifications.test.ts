import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { HOUR } from '../../support/clock.ts';
import type { PaidOut } from '../../support/sandbox-control.ts';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements(
  'A settlement that Monnify notifies of',
  (account) => {
    const settlement = (status: string) => account.settlement(status);
    const payUntilPayday = async (amountKobo: number) => {
      const charges = await account.payCharges(amountKobo);
      await account.passToPayday();
      return charges;
    };
    const notify = async ({ provider_settlement_id: id }: PaidOut, kobo: number) => {
      const { context, sandbox, settle } = account.stack;
      const { secretKey } = sandbox.store.account.get(account.accountId)!;
      const eventData = {
        ...{ amount: (kobo / 100).toFixed(2), settlementReference: id, settlementTime: '' },
        ...{ transactionsCount: 1, transactions: [] },
      };
      const body = JSON.stringify({ eventType: 'SETTLEMENT', eventData });
      const signature = createHmac('sha512', secretKey).update(body).digest('hex');
      const url = `${context.env.publicUrl}/notifications/${account.connectionId}`;
      const headers = { 'content-type': 'application/json', 'monnify-signature': signature };
      expect((await fetch(url, { method: 'POST', headers, body })).status).to.equal(200);
      await settle();
    };

    it('settles its charges at once, with the bank it went to', async () => {
      const [charge] = await payUntilPayday(200_000);
      await account.payOut();
      const landed = await settlement('landed');
      expect(landed.bank).to.deep.equal({ name: 'Sterling bank', account_last4: '6789' });
      const settled = { status: 'settled', settlement_id: landed.id };
      expect(await account.readTransaction(charge!)).to.include(settled);
    });

    it('twice lands once', async () => {
      const { stack, name } = account;
      await payUntilPayday(200_000);
      await stack.control.faults({ provider: name, duplicate_notifications: true });
      await account.payOut();
      await account.passTime(HOUR);
      expect(await account.events()).to.deep.equal([await settlement('landed')]);
      expect(await account.discrepancies()).to.deep.equal([]);
    });

    it('late, after it was found, has the amount that the notification states', async () => {
      await payUntilPayday(200_000);
      const paidOut = await account.payOut({ notify: false, short_by_kobo: 50_000 });
      const { landed_kobo: landedKobo } = paidOut;
      await account.passTime(3 * HOUR);
      const { id, landed_amount_kobo: foundKobo } = await settlement('landed');
      expect(foundKobo, 'what its lines add up to').to.equal(landedKobo + 50_000);
      await notify(paidOut, landedKobo);
      const short = { landed_amount_kobo: landedKobo, shortfall_kobo: 50_000 };
      expect(await settlement('short')).to.include({ id, ...short });
      const differing = { kind: 'short', settlement_id: id, amount_kobo: 50_000 };
      expect(await account.discrepancy()).to.include(differing);
      expect(await account.events()).to.have.length(1);
    });

    it('again with another amount has its totals computed again, and one event', async () => {
      await payUntilPayday(200_000);
      const paidOut = await account.payOut();
      const { landed_kobo: landedKobo } = paidOut;
      const { id } = await settlement('landed');
      await notify(paidOut, 150_000);
      const short = { landed_amount_kobo: 150_000, expected_amount_kobo: landedKobo };
      expect(await settlement('short')).to.include({ id, ...short });
      const differing = { kind: 'short', difference_kobo: landedKobo - 150_000 };
      expect(await account.discrepancy()).to.include(differing);
      await notify(paidOut, landedKobo);
      expect(await settlement('landed')).to.include({ id, shortfall_kobo: 0 });
      const statuses = (await account.discrepancies()).map(({ status }) => status);
      expect(statuses).to.deep.equal(['resolved']);
      expect(await account.events()).to.have.length(1);
    });
  },
  { only: ['monnify'] },
);
