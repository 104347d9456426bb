import { expect } from 'chai';
import { expectErrors, type Reply } from '../calls.ts';
import { accountAt, no, ok, options, reference, transaction } from './examples.ts';

const verifyWith = (reply: Reply) => accountAt(reply).account.verify(reference, options);
const verifyAs = (fields: Record<string, unknown>) => verifyWith([200, ok(transaction(fields))]);

describe('Verifying a reference at Monnify', () => {
  it('asks with the encoded reference; an unknown one is absent', async () => {
    const notFound = no('Could not find transaction with payment reference a for merchant Ada');
    const { account, requests } = accountAt([404, notFound]);
    const verification = await account.verify('a|b/c?d&e', options);
    expect(verification).to.include({ state: 'absent', raw: JSON.stringify(notFound) });
    expect(requests[0]).to.match(/\/transactions\/query\?paymentReference=a%7Cb%2Fc%3Fd%26e$/);
  });

  it('is an error where the answer holds no transaction', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[404, no('The requested resource could not be found')], 'refused'],
      [[200, ok(null)], 'unknown'],
      [[200, { ...ok(transaction()), responseCode: '99' }], 'unknown'],
    ];
    await expectErrors('verify', replies, verifyWith);
  });

  it('keeps the answer as evidence, and asks a person where money went back unstated', async () => {
    expect(JSON.parse((await verifyAs({})).raw)).to.deep.equal(ok(transaction()));
    expect(await verifyAs({ paymentStatus: 'REVERSED' })).to.include({ state: 'paid' });
    for (const amountPaid of ['0.00', 0, null, undefined])
      expect(await verifyAs({ paymentStatus: 'REVERSED', amountPaid })).to.deep.include({
        ...{ state: 'unpaid', status: 'REVERSED', captures: [], hasRefunds: false },
        unknownWords: ['status "REVERSED" without the amount that was paid'],
      });
    expect(await verifyAs({ paymentStatus: 'PENDING', amountPaid: 0 })).to.deep.include({
      ...{ state: 'unpaid', unknownWords: [] },
    });
  });
});
