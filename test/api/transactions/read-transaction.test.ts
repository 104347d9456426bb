import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { newCharge, openCharge, stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { useStack } from '../../support/stack.ts';

const FIELDS = [
  ...['object', 'id', 'reference', 'merchant_reference', 'type', 'status', 'provider'],
  ...['provider_reference', 'amount_kobo', 'fee_kobo', 'net_kobo', 'refunded_kobo', 'currency'],
  ...['channel', 'customer', 'failure_message', 'occurred_at', 'settled_at', 'settlement_id'],
  ...['recovered', 'metadata', 'mode'],
];

describe('GET /transactions/{id}', () => {
  const stack = useStack();

  it('answers every field from creation on, null until it is known', async () => {
    const charge = await newCharge(stack, { reference: 'order-7', metadata: { cart: 'b', n: 1 } });
    const answer = await stack.api.get(`/transactions/${charge.reference}`);
    expect(answer.status).to.equal(200);
    expect(Object.keys(answer.json)).to.deep.equal(FIELDS);
    expect(answer.json.status, 'the workers may have been quick').to.be.oneOf([
      'initiated',
      'pending',
    ]);
    expect(answer.json).to.deep.include({
      object: 'transaction',
      type: 'charge',
      fee_kobo: 0,
      net_kobo: 100_000,
    });
    expect(answer.json).to.deep.include({
      merchant_reference: 'order-7',
      metadata: { cart: 'b', n: 1 },
      channel: null,
      settled_at: null,
    });
  });

  it('answers the same by id and by reference, and as its paid charge does', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { channel: 'ussd' });
    await stack.settle();
    const byReference = await stack.api.get(`/transactions/${charge.reference}`);
    const byId = await stack.api.get(`/transactions/${byReference.json.id}`);
    expect(byId.text).to.equal(byReference.text);
    expect(byId.json).to.include({ status: 'succeeded', channel: 'ussd' });
    expect((await stack.api.get(`/charges/${charge.reference}`)).json.transaction).to.deep.equal(
      byId.json,
    );
  });

  it('names the ids to use when a transaction is read by another id', async () => {
    const { id, number } = await stored(stack, await newCharge(stack));
    const wrong = [newId('txn', new Date()), id.replace('txn_', 'ct_'), `${number}`, `${id}%00`];
    for (const name of [...wrong, id.toUpperCase()])
      expectRefused(await stack.api.get(`/transactions/${name}`), 'not_found');
    const messageFor = async (name: string) =>
      (await stack.api.get(`/transactions/${name}`)).json.error.message;
    expect(await messageFor(id.replace('txn_', 'ct_'))).to.include(
      'by its txn_ id or by its service reference, like SV-100001',
    );
    expect(await messageFor('SV-1')).to.equal(
      'There is no such transaction in this mode. A live transaction read with a test key is not found.',
    );
  });
});
