import { expect } from 'chai';
import { verify } from '../../../../domain/providers/monnify/verify.ts';
import { errorOf, type Reply } from '../calls.ts';
import { clientWith, no, ok, options, reference, transaction } from './examples.ts';

const verifyWith = (reply: Reply) => verify(clientWith(reply).client, reference, options);
const verifyAs = (overrides: Record<string, unknown>) =>
  verifyWith([200, ok(transaction(overrides))]);

describe('Verifying a reference at Monnify', () => {
  it('asks with the encoded reference; an unknown one is absent', async () => {
    const notFound = no('Could not find transaction with payment reference a for merchant Ada');
    const { client, requests } = clientWith([404, notFound]);
    const verification = await verify(client, 'a|b/c?d&e', options);
    expect(verification).to.include({ state: 'absent', raw: JSON.stringify(notFound) });
    expect(requests[0]).to.match(/\/transactions\/query\?paymentReference=a%7Cb%2Fc%3Fd%26e$/);
  });

  it('is an error where the answer holds no transaction', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[404, no('The requested resource could not be found')], 'refused'],
      [[200, ok(null)], 'unknown'],
      [[200, { ...ok(transaction()), responseCode: '99' }], 'unknown'],
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
    expect(JSON.parse(paid.raw).responseBody).to.deep.equal(transaction());
    expect((await verifyAs({ paymentStatus: 'REVERSED' })).hasRefunds).to.equal(true);
    expect((await verifyAs({ paymentMethod: 'BARTER' })).unknownWords).to.have.length(1);
    const failed = await verifyAs({ paymentStatus: 'FAILED' });
    const failureMessage = 'The payment was declined.';
    expect(failed).to.deep.include({ state: 'declined', captures: [], failureMessage });
    const ended = await verifyAs({ paymentStatus: 'EXPIRED' });
    expect(ended).to.deep.include({ state: 'ended', captures: [], failureMessage: null });
  });

  it('asks a person about a reversed payment that states no amount', async () => {
    for (const amountPaid of ['0.00', 0, null, undefined]) {
      const reversed = await verifyAs({ paymentStatus: 'REVERSED', amountPaid });
      expect(reversed, String(amountPaid)).to.deep.include({
        state: 'unpaid',
        captures: [],
        unknownWords: ['status "REVERSED" without the amount that was paid'],
      });
    }
  });
});
