import { expect } from 'chai';
import { verify } from '../../../../domain/providers/paystack/verify.ts';
import { errorOf, type Reply } from '../calls.ts';
import { clientWith, good, options, reference, transaction } from './examples.ts';

const verifyWith = (reply: Reply) => verify(clientWith(reply).client, reference, options);
const verifyAs = (overrides: Record<string, unknown>) =>
  verifyWith([200, good(transaction(overrides))]);

describe('Verifying a reference at Paystack', () => {
  it('asks with the encoded reference; an unknown one is absent', async () => {
    const notFound = { status: false, message: 'Not found', code: 'transaction_not_found' };
    const { client, requests } = clientWith([404, notFound]);
    const verification = await verify(client, 'a/b?c', options);
    expect(verification).to.include({ state: 'absent', raw: JSON.stringify(notFound) });
    expect(requests).to.deep.equal(['GET /transaction/verify/a%2Fb%3Fc']);
  });

  it('is an error where the answer holds no transaction', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[404, { error: 'not found' }], 'unknown'],
      [[400, { status: false, message: 'Transaction ID should be numeric.' }], 'refused'],
      [[200, { status: true, message: 'Verification successful' }], 'unknown'],
      [[200, { status: false, message: 'Oops', data: transaction() }], 'unknown'],
    ];
    for (const [reply, kind] of replies)
      expect(await errorOf(verifyWith(reply)), JSON.stringify(reply)).to.include({
        kind,
        stage: 'verify',
      });
  });

  it('returns a capture and the evidence only for a paid transaction', async () => {
    const paid = await verifyAs({});
    expect(paid).to.include({ state: 'paid', hasRefunds: false, failureMessage: null });
    expect(paid.captures).to.have.length(1);
    expect(JSON.parse(paid.raw).data).to.deep.equal(transaction());
    expect((await verifyAs({ status: 'reversed' })).hasRefunds).to.equal(true);
    expect((await verifyAs({ channel: 'barter' })).unknownWords).to.have.length(1);
    const unpaid = await verifyAs({ status: 'abandoned', channel: 'barter' });
    expect(unpaid).to.deep.include({ state: 'unpaid', captures: [], unknownWords: [] });
  });

  it('gives the reason of a declined payment in one line', async () => {
    const messageOf = async (gateway_response: unknown) =>
      (await verifyAs({ status: 'failed', gateway_response })).failureMessage;
    expect(await messageOf(' Insufficient\nfunds\u0000')).to.equal('Insufficient funds');
    for (const unstated of [null, '', 7])
      expect(await messageOf(unstated)).to.equal('The payment was declined.');
  });
});
