import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, options, reference, transaction, verifyCall } from './given.ts';

describe('Paystack, where a reference is not known', () => {
  onTheWire();

  const nextStep =
    "Ensure that you're passing the reference of a transaction that exists on this integration";
  const full = {
    status: false,
    message: 'Transaction reference not found.',
    meta: { nextStep },
    type: 'validation_error',
    code: 'transaction_not_found',
  };
  const absent: [form: string, status: number, body: object][] = [
    ['400, in full', 400, full],
    ['404, in full', 404, full],
    [
      '400, by its message alone',
      400,
      { status: false, message: 'Transaction reference not found' },
    ],
    [
      '400, by its code alone',
      400,
      { status: false, message: 'No such thing', code: 'transaction_not_found' },
    ],
    ['404, in the older form', 404, { status: false, message: 'Not found' }],
  ];
  for (const [form, status, body] of absent) {
    it(`says so with ${form}`, async () => {
      verifyCall().reply(status, body);
      expect(await account.verify(reference, options)).to.deep.include({
        state: 'absent',
        captures: [],
        raw: JSON.stringify(body),
      });
    });
  }

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['a 404 in JSON that is not its own', 404, { error: 'not found' }, 'unknown'],
    [
      'a wrong path',
      404,
      { status: false, message: 'Endpoint not found', code: 'route_not_found' },
      'refused',
    ],
    [
      'an empty reference',
      400,
      { status: false, message: 'Transaction ID should be numeric.' },
      'refused',
    ],
    ['a failure that names it', 500, full, 'unknown'],
    ['success without data', 200, { status: true, message: 'Verification successful' }, 'unknown'],
    [
      'success that is none',
      200,
      { status: false, message: 'Something went wrong', data: transaction() },
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of others) {
    it(`never takes ${what} for that`, async () => {
      verifyCall().reply(status, body as object);
      expect(await errorOf(account.verify(reference, options))).to.include({
        kind,
        stage: 'verify',
      });
    });
  }

  it('is asked with the reference encoded', async () => {
    api().get('/transaction/verify/a%2Fb%3Fc').reply(404, full);
    expect((await account.verify('a/b?c', options)).state).to.equal('absent');
  });
});
