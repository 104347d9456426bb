import { expect } from 'chai';
import { expectErrors, type Reply } from '../calls.ts';
import { accountAt, good, options, reference, transaction } from './examples.ts';

const verifyWith = (reply: Reply) => accountAt(reply).account.verify(reference, options);

describe('Verifying a reference at Paystack', () => {
  it('asks with the encoded reference; an unknown one is absent', async () => {
    const notFound = { status: false, message: 'Not found', code: 'transaction_not_found' };
    const { account, requests } = accountAt([404, notFound]);
    const verification = await account.verify('a/b?c', options);
    expect(verification).to.include({ state: 'absent', raw: JSON.stringify(notFound) });
    expect(requests).to.deep.equal(['GET /transaction/verify/a%2Fb%3Fc']);
  });

  it('keeps the answer as evidence, and is an error where it holds no transaction', async () => {
    const paid = await verifyWith([200, good(transaction())]);
    expect(JSON.parse(paid.raw).data).to.deep.equal(transaction());
    const replies: [reply: Reply, kind: string][] = [
      [[404, { error: 'not found' }], 'unknown'],
      [[400, { status: false, message: 'Transaction ID should be numeric.' }], 'refused'],
      [[200, { status: true, message: 'Verification successful' }], 'unknown'],
      [[200, { status: false, message: 'Oops', data: transaction() }], 'unknown'],
    ];
    await expectErrors('verify', replies, verifyWith);
  });
});
