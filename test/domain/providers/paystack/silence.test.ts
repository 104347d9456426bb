import { expect } from 'chai';
import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import { holdsOnABadLine, type Line, served } from '../bad-line.ts';
import { errorOf, onTheWire } from '../wire.ts';
import {
  account,
  api,
  clock,
  options,
  order,
  reference,
  transaction,
  verifyCall,
} from './given.ts';

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
    ['a 404 page of something that is not Paystack', 404, '<html>404</html>', 'unknown'],
    ['a 404 without a body', 404, '', 'unknown'],
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
    ['a wrong key', 401, { status: false, message: 'Invalid key' }, 'refused'],
    ['a limit', 429, { status: false, message: 'Rate limit exceeded!' }, 'limited'],
    ['a failure', 500, { status: false, message: 'An error occurred' }, 'unknown'],
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

describe('Paystack, when the line is bad', () => {
  const line: Line = {
    open: (baseUrl) => paystack.open({ credentials: { secret_key: 'sk_test_1' }, baseUrl, clock }),
    calls: (there, timeoutMs) => [
      there.create(order, { timeoutMs }),
      there.verify(reference, { timeoutMs }),
      there.checkCredentials({ timeoutMs }),
    ],
  };
  holdsOnABadLine(line);

  it('reads no answer without an end', async () => {
    const errors = await served(line, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(errors.map(({ message }) => message)).to.deep.equal(
      Array(3).fill('the answer is longer than 2097152 bytes'),
    );
    expect(errors.map(({ kind }) => kind)).to.deep.equal(Array(3).fill('unknown'));
  });
});
