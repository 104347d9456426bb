import { expect } from 'chai';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { titleOf } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

describe('The pay page of a charge the merchant cancels', () => {
  const stack = useStack({ workers: false });
  let checkout: { id: string; reference: string };
  beforeEach(async () => {
    checkout = (
      await stack.api.post('/charges', {
        amount_kobo: 50_000,
        email: 'ada@example.com',
        return_url: 'https://shop.example/',
      })
    ).json;
    await openAtProvider(stack, checkout.reference);
  });
  afterEach(() => stack.control.faults());

  const get = (path: string) => rawRequest(stack, { path: `/pay/${checkout.id}${path}` });
  const cancel = () => stack.api.post(`/charges/${checkout.reference}/cancel`);

  it('waits, without the provider’s link, while the provider is asked', async () => {
    const [payment] = await stack.control.payments(checkout.reference);
    expect((await get('')).text).to.include(payment!.checkout_url);
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    expect((await cancel()).json.status).to.equal('open');
    for (const query of ['', '?returned=1']) {
      const { text } = await get(query);
      expect(titleOf(text)).to.equal('This checkout is being closed');
      expect(text).not.to.include(payment!.checkout_url);
      expect(text).to.include('http-equiv="refresh"');
      expect((await get(`/status${query}`)).json).to.deep.equal({ status: 'closing' });
    }
  });

  it('shows that it is cancelled, with the way back', async () => {
    expect((await cancel()).json.status).to.equal('failed');
    const { text } = await get('');
    expect(titleOf(text)).to.equal('The payment did not go through');
    expect(text).to.include('Test Store has cancelled it. You can');
    expect(text).to.include(
      `https://shop.example/?reference=${checkout.reference}&amp;status=failed`,
    );
    expect((await get('/status')).json).to.deep.equal({ status: 'failed' });
  });
});
