import { expect } from 'chai';
import { newCharge, newReference, newSecretKey } from './fixture.ts';
import type { Json } from './json.ts';
import { merchants } from './merchants.ts';

for (const [provider, open] of Object.entries(merchants)) {
  describe(`sandbox: payments one side does not know at ${provider}`, () => {
    it('takes money and never tells of it: it is there for whoever asks', async () => {
      await using merchant = await open();
      const reference = await merchant.sale(500_000, { notify: false });
      await merchant.fixture.sandbox.idle();
      expect(merchant.fixture.receiver.received).to.deep.equal([]);
      expect(await merchant.verified(reference)).to.include({ amountKobo: 500_000 });
      expect(await merchant.listed('2026-03-02', '2026-03-02')).to.deep.equal([reference]);
      const { body } = await merchant.fixture.control('POST', '/settle');
      expect(await merchant.lines(body.data[0].provider_settlement_id)).to.have.all.keys(reference);
    });

    it('takes money under a reference that nobody opened, and settles it', async () => {
      await using merchant = await open();
      const reference = newReference();
      const asked = { provider, reference, amount_kobo: 700_000, channel: 'bank_transfer' };
      const { status, body } = await merchant.fixture.control('POST', '/stranger', asked);
      expect(status).to.equal(200);
      expect(body).to.include({
        provider,
        account_id: merchant.fixture.accountId,
        reference,
        status: 'paid',
        paid_kobo: 700_000,
      });
      expect(await merchant.verified(reference)).to.deep.equal({
        amountKobo: 700_000,
        feeKobo: body.fee_kobo,
      });
      expect(await merchant.listed('2026-03-02', '2026-03-02')).to.deep.equal([reference]);
      await merchant.fixture.sandbox.idle();
      expect(merchant.fixture.receiver.received).to.deep.equal([]);
      const settled = (await merchant.fixture.control('POST', '/settle')).body.data[0];
      expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys(reference);
      expect((await merchant.fixture.control('POST', '/stranger', asked)).status).to.equal(409);
    });

    it('tells of such a payment when asked to, and makes it on another day', async () => {
      await using merchant = await open();
      const asked = {
        provider,
        reference: 'INV-7',
        amount_kobo: 20_000,
        at: '2026-02-27T08:00:00Z',
        notify: true,
      };
      await merchant.fixture.control('POST', '/stranger', asked);
      await merchant.fixture.sandbox.idle();
      expect(merchant.fixture.receiver.received).to.have.length(1);
      expect(await merchant.listed('2026-02-27', '2026-02-27')).to.deep.equal(['INV-7']);
      expect(await merchant.listed('2026-02-28', '2026-03-02')).to.deep.equal([]);
    });

    it('wants to know which account when there are several, and settles just one of them if told so', async () => {
      await using merchant = await open();
      const { control, accountId } = merchant.fixture;
      const other = {
        api_key: 'MK_TEST_ABCDEFGHIJ',
        contract_code: '1',
        secret_hash: 'hash',
        secret_key: newSecretKey(),
        provider,
      };
      const credentials = {
        paystack: ['secret_key'],
        flutterwave: ['secret_key', 'secret_hash'],
        monnify: ['secret_key', 'api_key', 'contract_code'],
      };
      const wanted = [...credentials[provider as keyof typeof credentials], 'provider'];
      const { id } = (
        await control(
          'POST',
          '/accounts',
          Object.fromEntries(Object.entries(other).filter(([name]) => wanted.includes(name))),
        )
      ).body;
      const stranger = { provider, reference: newReference(), amount_kobo: 20_000 };
      const refused = await control('POST', '/stranger', stranger);
      expect(refused).to.deep.include({
        status: 409,
        body: { error: `account_id is required: ${provider} has 2 accounts` },
      });
      expect((await control('POST', '/stranger', { ...stranger, account_id: 1 })).status).to.equal(
        404,
      );
      for (const account_id of [id, accountId])
        expect((await control('POST', '/stranger', { ...stranger, account_id })).status).to.equal(
          200,
        );
      const settled = (await control('POST', '/settle', { account_id: accountId })).body.data;
      expect(settled.map((row: Json) => row.account_id)).to.deep.equal([accountId]);
      expect(
        (await control('POST', '/settle')).body.data.map((row: Json) => row.account_id),
      ).to.deep.equal([id]);
    });

    it('forgets a payment: it is not found, not listed, and never paid out', async () => {
      await using merchant = await open();
      const [lost, kept] = [await merchant.sale(), await merchant.sale()];
      await merchant.fixture.control('POST', '/refund', {
        reference: lost,
        now: true,
        amount_kobo: 1_000,
      });
      await merchant.fixture.control('POST', '/dispute', { reference: lost, outcome: 'lost' });
      const { status, body } = await merchant.fixture.control('POST', '/forget', {
        reference: lost,
      });
      expect(status).to.equal(200);
      expect(body).to.include({
        provider,
        account_id: merchant.fixture.accountId,
        reference: lost,
      });
      expect(await merchant.verified(lost)).to.equal(undefined);
      expect(await merchant.listed('2026-03-02', '2026-03-02')).to.deep.equal([kept]);
      expect(
        (await merchant.fixture.control('GET', `/payments?reference=${lost}`)).body.data,
      ).to.deep.equal([]);
      const settled = (await merchant.fixture.control('POST', '/settle')).body.data[0];
      expect(settled).to.include({ line_count: 1, deductions_kobo: 0 });
      expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys(kept);
      expect(
        (await merchant.fixture.control('POST', '/forget', { reference: lost })).status,
      ).to.equal(404);
      expect(
        (
          await merchant.fixture.control('POST', '/pay', {
            reference: lost,
            outcome: 'success',
            again: true,
          })
        ).status,
      ).to.equal(404);
    });

    it('forgets one that was paid out, as if the payout had never held it', async () => {
      await using merchant = await open();
      const charge = newCharge();
      const [lost, kept] = [newReference(charge), await merchant.sale()];
      await merchant.fixture.control('POST', '/stranger', {
        provider,
        reference: lost,
        amount_kobo: 900_000,
      });
      const settled = (await merchant.fixture.control('POST', '/settle', { short_by_kobo: 77 }))
        .body.data[0];
      await merchant.fixture.control('POST', '/forget', { reference: charge });
      const lines = await merchant.lines(settled.provider_settlement_id);
      expect(lines).to.have.all.keys(kept);
      const [row] = await merchant.fixture.sql.query(
        'select * from sandbox.settlement where id = $1',
        [settled.id],
      );
      expect(row).to.include({
        line_count: 1,
        gross_kobo: 500_000,
        landed_kobo: 500_000 - lines[kept]!.feeKobo - 77,
      });
    });

    it('forgets one in the middle of a payout and shows all the others', async () => {
      await using merchant = await open();
      const references = [await merchant.sale(), await merchant.sale(), await merchant.sale()];
      const settled = (await merchant.fixture.control('POST', '/settle')).body.data[0];
      await merchant.fixture.control('POST', '/forget', { reference: references[1] });
      expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys(
        references[0]!,
        references[2]!,
      );
    });

    it('opens the forgotten reference again as if it were new, and still counts what was taken under it', async () => {
      await using merchant = await open();
      const reference = await merchant.sale();
      await merchant.fixture.control('POST', '/forget', { reference });
      expect(
        (
          await merchant.fixture.control('POST', '/stranger', {
            provider,
            reference,
            amount_kobo: 30_000,
          })
        ).status,
      ).to.equal(200);
      expect(await merchant.verified(reference)).to.include({ amountKobo: 30_000 });
      expect((await merchant.fixture.control('GET', '/stats')).body[provider].captures).to.equal(2);
    });
  });
}
