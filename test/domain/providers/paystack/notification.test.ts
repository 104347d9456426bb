import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { readEvent, readNotification } from '../../../../domain/providers/paystack/notification.ts';
import { expectNothingRead, wronglySigned } from '../malformed.ts';
import { reference, secretKey, transaction } from './examples.ts';

const accountOf = (credentials: Record<string, string>) => ({
  ...{
    credentials,
    baseUrl: 'https://api.paystack.co',
    mode: 'live' as const,
    clock: () => new Date(0),
  },
});
const sign = (body: string, key: string) => createHmac('sha512', key).update(body).digest('hex');
const readSigned = (
  body: string,
  signature: string | string[] | undefined,
  credentials: Record<string, string> = { secret_key: secretKey },
) =>
  readNotification(
    accountOf(credentials),
    { 'x-paystack-signature': signature },
    Buffer.from(body),
  );
const read = (event: string, data: unknown) =>
  readEvent(Buffer.from(JSON.stringify({ event, data })));

const vector = {
  body: '{"event":"charge.success","data":{"id":302961,"domain":"test","status":"success","reference":"REF-1","amount":10000}}',
  signature:
    '013aebbe3393f9a04d563b6710b1faa3168ab592a11547214904fa3c6c82f266ec8b8cd7e4792053e63411539fb943a4d82923e9ed25e377c7a9dce93caff20b',
};

describe('A notification of Paystack', () => {
  it('is read with the signature of the documented vector, and with no other', () => {
    const { body, signature } = vector;
    expect(readSigned(body, signature)).to.deep.equal({
      ...{ event: 'charge.success', about: 'payment', references: ['REF-1'], paymentIds: [] },
    });
    const changed = body.replace('10000', '10001');
    const foreign = sign(body, 'sk_test_other');
    for (const [what, text, given] of wronglySigned({ ...vector, changed, foreign }))
      expect(readSigned(text, given), what).to.equal(undefined);
    expect(readSigned(body, sign(body, ''), {}), 'an account without a key').to.equal(undefined);
  });

  it('names the payment, refund or dispute to read', () => {
    const refund = { status: 'processed', transaction_reference: reference, amount: '5000' };
    const dispute = { id: 358950, transaction: transaction(), transaction_reference: null };
    const bodies: [event: string, about: string, data: unknown][] = [
      ['charge.success', 'payment', transaction()],
      ['charge.success', 'payment', { id: 302961, reference, metadata: 0, plan: {} }],
      ['refund.pending', 'refund', { ...refund, refund_reference: null }],
      ['refund.processing', 'refund', refund],
      ['refund.processed', 'refund', refund],
      ['refund.failed', 'refund', { ...refund, amount: 5000 }],
      ['refund.needs-attention', 'refund', { ...refund, id: '15', customer_note: 'x' }],
      ['charge.dispute.create', 'dispute', dispute],
      ['charge.dispute.remind', 'dispute', dispute],
      ['charge.dispute.resolve', 'dispute', { ...dispute, transaction_reference: reference }],
    ];
    for (const [event, about, data] of bodies)
      expect(read(event, data)).to.deep.equal({
        ...{ event, about, references: [reference], paymentIds: [] },
      });
    for (const event of ['bank.transfer.rejected', 'subscription.create'])
      expect(read(event, { transaction_id: 5 })).to.include({ event, about: 'other' });
    const twice = { reference: 'a', transaction_reference: 'b', transaction: { reference: 'a' } };
    expect(read('charge.dispute.create', twice).references).to.deep.equal(['a', 'b']);
  });

  it('never throws, and names nothing where it is malformed', () => {
    expectNothingRead(readEvent, [
      '{"event":7,"data":[]}',
      '{"event":null,"data":null}',
      '{"data":{"reference":{"a":1}}}',
      '{"event":"a b","data":{"reference":""}}',
      '{"__proto__":{"event":"x"}}',
      '{"data":{"reference":"a\\u0000b","transaction":{"reference":["x"]}}}',
      JSON.stringify({ data: { reference: 'x'.repeat(201) } }),
    ]);
  });
});
