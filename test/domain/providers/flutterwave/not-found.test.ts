import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../../config/listen.ts';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  account,
  api,
  bad,
  clock,
  credentials,
  good,
  noTransaction,
  options,
  payment,
  reference,
  transaction,
  verifyCall,
} from './examples.ts';

describe('Flutterwave, where a reference was not tried yet', () => {
  useNock();

  const absent: [form: string, status: number, body: object][] = [
    ['400', 400, noTransaction],
    ['404', 404, noTransaction],
    ['200', 200, noTransaction],
    ['200 and success', 200, { ...noTransaction, status: 'success' }],
    ['other words', 400, bad('No transaction found')],
    ['the other way round', 404, bad('Transaction not found')],
    ['no data', 400, { status: 'error', message: 'No transaction was found for this id' }],
  ];
  for (const [form, status, body] of absent) {
    it(`says so with ${form}`, async () => {
      verifyCall().reply(status, body);
      expect(await account.verify(reference, options)).to.deep.equal({
        ...{
          state: 'absent',
          status: 'not found',
          captures: [],
          hasRefunds: false,
          unknownWords: [],
          failureMessage: null,
        },
        raw: JSON.stringify(body),
      });
    });
  }

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['a page with the words', 404, '<html>No transaction was found for this id</html>', 'unknown'],
    [
      'a 404 in JSON that is not its own',
      404,
      { message: 'No transaction was found for this id' },
      'unknown',
    ],
    [
      'a 404 of another status',
      404,
      { status: false, message: 'No transaction was found for this id' },
      'unknown',
    ],
    ['a wrong path', 404, bad('Resource not found'), 'refused'],
    ['a missing reference', 400, bad('tx_ref is required'), 'refused'],
    ['a wrong key that names it', 401, noTransaction, 'refused'],
    ['a failure that names it', 500, noTransaction, 'unknown'],
    ['success without data', 200, good(null), 'unknown'],
    [
      'success that is none',
      200,
      { ...bad('Something went wrong'), data: transaction() },
      'unknown',
    ],
    [
      'words that stand beside a transaction',
      400,
      { ...noTransaction, data: transaction() },
      'refused',
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
    api().get('/transactions/verify_by_reference?tx_ref=a%2Fb%3Fc%26d').reply(400, noTransaction);
    expect((await account.verify('a/b?c&d', options)).state).to.equal('absent');
  });
});

describe('A question to Flutterwave of several calls', () => {
  const openAt = (baseUrl: string, now = clock) =>
    flutterwave.open({ credentials, baseUrl, clock: now });
  it('takes no longer than it may, however many calls a question takes', async () => {
    const pages = { meta: { page_info: { total_pages: 99 } } };
    let calls = 0;
    const slowly: RequestListener = (_request, response) =>
      void setTimeout(
        () => response.end(JSON.stringify({ ...good([{ id: ++calls }]), ...pages })),
        40,
      );
    await using listening = await listen(createServer(slowly), 0, '127.0.0.1');
    const there = openAt(`http://127.0.0.1:${listening.port}`, () => new Date());
    const startedMs = performance.now();
    expect((await errorOf(there.listRefunds(payment, { timeoutMs: 300 }))).kind).to.equal(
      'unknown',
    );
    expect(performance.now() - startedMs).to.be.below(600);
    expect(calls).to.be.greaterThan(1);
  });
});
