import { expect } from 'chai';
import { callsOf, openCheckout, payButton, useMerchant } from './merchant.ts';

describe('The checkout script', () => {
  const merchant = useMerchant();
  const visit = (more: object = {}) =>
    merchant.visit({
      body: `${merchant.script}${payButton({
        key: merchant.stack.tenant.public_key_test,
        amount_kobo: 1_250_050,
        email: 'ada@example.com',
        ...more,
      })}`,
    });

  it('opens a window in which the payer pays, reports the success, and the window closes', async () => {
    const page = await visit({ description: 'Two bags of rice', reference: 'order-7' });
    const opened = await openCheckout(page);
    const closed = opened.waitForEvent('close');
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    const [[name, detail]] = (await callsOf(page)) as [[string, any]];
    expect(name).to.equal('onSuccess');
    expect(Object.keys(detail)).to.deep.equal(['reference', 'checkout']);
    const { json } = await merchant.stack.api.get(`/charges/${detail.reference}`);
    expect(json).to.include({
      id: detail.checkout,
      status: 'completed',
      merchant_reference: 'order-7',
      amount_kobo: 1_250_050,
    });
    await closed;
    expect(await callsOf(page)).to.have.length(1);
    expect(merchant.complaints).to.deep.equal([]);
  });
});
