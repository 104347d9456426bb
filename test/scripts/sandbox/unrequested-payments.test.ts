import { expect } from 'chai';
import { newCharge, newReference, newSecretKey, openFixture } from './fixture.ts';
import type { Json } from './json.ts';
import { merchants } from './merchants.ts';

for (const [provider, open] of Object.entries(merchants)) {
  describe(`sandbox: payments that one side does not know at ${provider}`, () => {
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

describe('sandbox: a provider with several accounts', () => {
  it('requires account_id for a payment of nobody, and settles only the account that is named', async () => {
    await using fixture = await openFixture();
    const { control, accountId } = fixture;
    const account = { provider: 'paystack', secret_key: newSecretKey() };
    const { id } = (await control('POST', '/accounts', account)).body;
    const payment = { provider: 'paystack', reference: newReference(), amount_kobo: 20_000 };
    const stranger = (account_id?: number) =>
      control('POST', '/stranger', { ...payment, account_id });
    const error = 'account_id is required: paystack has 2 accounts';
    expect(await stranger()).to.deep.include({ status: 409, body: { error } });
    expect((await stranger(1)).status).to.equal(404);
    for (const accounts of [id, accountId]) expect((await stranger(accounts)).status).to.equal(200);
    const settled = async (fields: object) =>
      (await control('POST', '/settle', fields)).body.data.map((row: Json) => row.account_id);
    expect(await settled({ account_id: accountId })).to.deep.equal([accountId]);
    expect(await settled({})).to.deep.equal([id]);
  });
});
