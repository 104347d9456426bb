import { expect } from 'chai';
import { chargesOf, newLink, readLink, submit, titleOf, visit } from '../support/payment-links.ts';
import { useStack } from '../support/stack.ts';

describe('A payment link', () => {
  const stack = useStack();

  it('is created, declined, paid by the next visitor, and sends the merchant a webhook', async () => {
    const link = await newLink(stack, { customer: { name: 'Ada Obi' } });
    await submit(stack, link, { email: 'first@example.com' });
    await stack.settle();
    const [first] = await chargesOf(stack, link);
    expect(first).to.include({ status: 'pending', name: 'Ada Obi', created_by: 'link' });
    await stack.control.pay(first!.reference, { outcome: 'failed' });
    expect((await stack.api.get(`/charges/${first!.reference}`)).json.status).to.equal('failed');
    expect(await readLink(stack, link)).to.include({ status: 'active', transaction_id: null });
    await submit(stack, link, { email: 'second@example.com' });
    await stack.settle();
    const [, second] = await chargesOf(stack, link);
    await stack.control.pay(second!.reference);
    await stack.settle();
    expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: second!.id });
    expect(titleOf((await visit(stack, link)).text)).to.equal('This has been paid');
    const transaction = (await stack.api.get(`/transactions/${second!.id}`)).json;
    expect(transaction).to.include({ status: 'succeeded', amount_kobo: 1_250_050 });
    const webhooks = stack.receiver.received.map(({ body }) => JSON.parse(body));
    const [succeeded, ...more] = webhooks.filter(({ type }) => type === 'charge.succeeded');
    expect(more).to.deep.equal([]);
    const customer = { email: 'second@example.com', name: 'Ada Obi', phone: null };
    expect(succeeded.data).to.deep.include({ id: second!.id, customer });
  });
});
