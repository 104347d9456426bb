import { expect } from 'chai';
import { newCharge, newReference, newSecretKey, openFixture } from './fixture.ts';
import type { Json } from './json.ts';

describe('sandbox: a payment that the provider forgets', () => {
  it('is in its payout no more, and its reference is opened like a new one', async () => {
    await using fixture = await openFixture();
    const { control } = fixture;
    const charge = newCharge();
    const [reference, other] = [newReference(charge), await fixture.sale()];
    const lost = { provider: 'paystack', reference, amount_kobo: 900_000 };
    await control('POST', '/stranger', lost);
    const [{ id }] = (await control('POST', '/settle', { short_by_kobo: 77 })).body.data;
    await control('POST', '/forget', { reference: charge });
    const { data } = (await fixture.paystack('GET', `/settlement/${id}/transactions`)).body;
    expect(data.map((row: Json) => row.reference)).to.deep.equal([other]);
    expect(fixture.sandbox.store.settlement.get(id)).to.include({
      ...{ grossKobo: 500_000, landedKobo: 500_000 - data[0].fees - 77 },
    });
    expect((await control('POST', '/stranger', lost)).status).to.equal(200);
    expect((await control('GET', '/stats')).body.paystack.captures).to.equal(3);
  });
});

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
