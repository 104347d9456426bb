import { expect } from 'chai';
import { newCharge, newReference, newSecretKey } from './fixture.ts';
import type { Json } from './json.ts';
import { merchants } from './merchants.ts';

for (const [provider, open] of Object.entries(merchants)) {
  describe(`sandbox: payments that one side does not know at ${provider}`, () => {
    it('requires account_id when there are several accounts, and settles only that one', async () => {
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

    it('forgets a paid-out payment, and computes its payout without it', async () => {
      await using merchant = await open();
      const charge = newCharge();
      const [lost, other] = [newReference(charge), await merchant.sale()];
      await merchant.fixture.control('POST', '/stranger', {
        provider,
        reference: lost,
        amount_kobo: 900_000,
      });
      const settled = (await merchant.fixture.control('POST', '/settle', { short_by_kobo: 77 }))
        .body.data[0];
      await merchant.fixture.control('POST', '/forget', { reference: charge });
      const lines = await merchant.lines(settled.provider_settlement_id);
      expect(lines).to.have.all.keys(other);
      expect(merchant.fixture.sandbox.store.settlement.get(settled.id)).to.include({
        grossKobo: 500_000,
        landedKobo: 500_000 - lines[other]!.feeKobo - 77,
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

    it('opens a forgotten reference like a new one, and still counts its captures', async () => {
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
