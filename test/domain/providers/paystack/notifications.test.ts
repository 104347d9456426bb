import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import { hostileBodies, wronglySigned } from '../hostile.ts';
import { account, clock, reference, secretKey, transaction } from './given.ts';

const sign = (body: string | Buffer, key = secretKey) =>
  createHmac('sha512', key).update(body).digest('hex');
const read = (body: string | Buffer, signature: string | string[] | undefined = sign(body)) =>
  account.readNotification({ 'x-paystack-signature': signature }, Buffer.from(body));
const say = (event: string, data: unknown) => read(JSON.stringify({ event, data }));

const vector = {
  body: '{"event":"charge.success","data":{"id":302961,"domain":"test","status":"success","reference":"REF-1","amount":10000}}',
  signature:
    '013aebbe3393f9a04d563b6710b1faa3168ab592a11547214904fa3c6c82f266ec8b8cd7e4792053e63411539fb943a4d82923e9ed25e377c7a9dce93caff20b',
};

describe("Paystack's notifications", () => {
  it('are accepted with the signature of the documented vector', () => {
    expect(read(vector.body, vector.signature)).to.deep.equal({
      ...{ event: 'charge.success', about: 'payment', references: ['REF-1'], paymentIds: [] },
    });
  });

  const { body } = vector;
  const refused = wronglySigned({
    ...vector,
    changed: body.replace('10000', '10001'),
    foreign: sign(body, 'sk_test_other'),
  });
  for (const [what, text, given] of refused) {
    it(`are refused with ${what}`, () => {
      expect(
        account.readNotification({ 'x-paystack-signature': given }, Buffer.from(text)),
      ).to.equal(undefined);
    });
  }

  it('are all refused by an account without a key', () => {
    const keyless = paystack.open({ credentials: {}, baseUrl: 'https://api.paystack.co', clock });
    expect(
      keyless.readNotification({ 'x-paystack-signature': sign(body, '') }, Buffer.from(body)),
    ).to.equal(undefined);
  });

  const refund = {
    status: 'processed',
    transaction_reference: reference,
    refund_reference: '132013318360',
    amount: '5000',
    currency: 'NGN',
  };
  const dispute = {
    id: 358950,
    status: 'awaiting-merchant-feedback',
    transaction: transaction(),
    transaction_reference: null,
  };
  const bodies: [event: string, about: string, data: unknown, references: string[]][] = [
    ['charge.success', 'payment', transaction(), [reference]],
    [
      'charge.success',
      'payment',
      { id: 302961, reference, metadata: 0, fees: null, plan: {} },
      [reference],
    ],
    ['refund.pending', 'refund', { ...refund, refund_reference: null }, [reference]],
    ['refund.processing', 'refund', refund, [reference]],
    ['refund.processed', 'refund', refund, [reference]],
    ['refund.failed', 'refund', { ...refund, amount: 5000 }, [reference]],
    ['refund.needs-attention', 'refund', { ...refund, id: '15', customer_note: 'x' }, [reference]],
    ['charge.dispute.create', 'dispute', dispute, [reference]],
    ['charge.dispute.remind', 'dispute', dispute, [reference]],
    [
      'charge.dispute.resolve',
      'dispute',
      { ...dispute, transaction_reference: reference },
      [reference],
    ],
    [
      'bank.transfer.rejected',
      'other',
      { bank_transfer: { amount: 1, transaction_id: 5 }, customer: {} },
      [],
    ],
    ['subscription.create', 'other', { subscription_code: 'SUB_1' }, []],
  ];
  for (const [event, about, data, references] of bodies) {
    it(`name what to ask about: ${event} ${references.length === 0 ? 'nothing' : ''}`, () => {
      expect(say(event, data)).to.deep.equal({ event, about, references, paymentIds: [] });
    });
  }

  it('name each payment once', () => {
    expect(
      say('charge.dispute.create', {
        reference: 'a',
        transaction_reference: 'b',
        transaction: { reference: 'a' },
      })?.references,
    ).to.deep.equal(['a', 'b']);
  });

  it('never throw and name nothing when they are hostile, though signed', () => {
    const nothing = { event: 'unknown', about: 'other', references: [], paymentIds: [] };
    const hostile = [
      '{"event":7,"data":[]}',
      '{"event":null,"data":null}',
      '{"data":{"reference":{"a":1}}}',
      '{"event":"a b","data":{"reference":""}}',
      '{"__proto__":{"event":"x"}}',
      '{"data":{"reference":"a\\u0000b","transaction":{"reference":["x"]}}}',
      JSON.stringify({ data: { reference: 'x'.repeat(201) } }),
    ];
    for (const text of [...hostileBodies, ...hostile])
      expect(read(text), text.slice(0, 60)).to.deep.equal(nothing);
    expect(read(Buffer.from([0xff, 0xfe, 0x00, 0x80]))).to.deep.equal(nothing);
  });
});
