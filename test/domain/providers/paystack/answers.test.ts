import { expect } from 'chai';
import { errorOf, isGood, isNotFound } from '../../../../domain/providers/paystack/answers.ts';
import { answerOf, errorOf as errorIn, type Reply } from '../calls.ts';
import { transaction } from './examples.ts';

const no = (message: string, code?: string) => ({ status: false, message, ...(code && { code }) });
const notFound = no('Transaction reference not found.', 'transaction_not_found');

describe('An answer of Paystack', () => {
  it('is about an unknown payment only where Paystack itself says so', async () => {
    const absent: Reply[] = [
      [400, notFound],
      [404, notFound],
      [400, no('Transaction reference not found')],
      [400, no('No such thing', 'transaction_not_found')],
      [404, no('Not found')],
    ];
    for (const reply of absent)
      expect(isNotFound(await answerOf(reply)), JSON.stringify(reply)).to.equal(true);
    const others: Reply[] = [
      [404, { error: 'not found' }],
      [404, '<html>Transaction not found</html>'],
      [404, no('Endpoint not found', 'route_not_found')],
      [400, no('Transaction ID should be numeric.')],
      [500, notFound],
      [200, { ...no('Something went wrong'), data: transaction() }],
      [404, { ...notFound, status: true }],
    ];
    for (const reply of others)
      expect(isNotFound(await answerOf(reply)), JSON.stringify(reply)).to.equal(false);
  });

  it('is about an unknown refund where it names one', async () => {
    for (const body of [no('Refund not found'), no('x', 'refund_not_found')])
      expect(isNotFound(await answerOf([404, body]), 'refund')).to.equal(true);
    for (const body of [no('Endpoint not found', 'route_not_found'), '<html>404</html>'])
      expect(isNotFound(await answerOf([404, body]), 'refund')).to.equal(false);
  });

  it('is good only with a status of 2xx and `status: true`', async () => {
    const good = { status: true, message: 'ok', data: {} };
    expect(isGood(await answerOf([200, good]))).to.equal(true);
    for (const reply of [
      [500, good],
      [200, no('x')],
      [200, { data: {} }],
    ] as Reply[])
      expect(isGood(await answerOf(reply)), JSON.stringify(reply)).to.equal(false);
  });

  it('states the wait of x-ratelimit-reset at 429, where there is no Retry-After', async () => {
    const rows: [headers: Record<string, string>, retryAfterMs: number | undefined][] = [
      [{ 'x-ratelimit-reset': '42' }, 42_000],
      [{ 'x-ratelimit-reset': '42', 'retry-after': '7' }, 7_000],
      [{ 'x-ratelimit-reset': '42', 'retry-after': 'Mon, 02 Mar 2026 09:15:02 GMT' }, 42_000],
      [{ 'x-ratelimit-reset': '7200' }, 3_600_000],
      [{ 'x-ratelimit-reset': '1772442902' }, undefined],
      [{ 'x-ratelimit-reset': 'soon' }, undefined],
    ];
    for (const [headers, retryAfterMs] of rows) {
      const answer = await answerOf([429, no('Rate limit exceeded!')], headers);
      const error = await errorIn(Promise.reject(errorOf(answer, 'verify')));
      expect(error.retryAfterMs, JSON.stringify(headers)).to.equal(retryAfterMs);
    }
  });

  it('becomes an error whose kind says whether the call may have taken effect', async () => {
    const deactivated = ' Integration has\nbeen deactivated\u0000 ';
    const rows: [reply: Reply, kind: string, message: string][] = [
      [
        [400, no('Duplicate Transaction Reference')],
        'duplicate',
        'Duplicate Transaction Reference',
      ],
      [
        [400, no('duplicate transaction reference')],
        'duplicate',
        'duplicate transaction reference',
      ],
      [[400, no('Reference was used', 'duplicate_reference')], 'duplicate', 'Reference was used'],
      [[400, no(deactivated)], 'refused', 'Integration has been deactivated'],
      [[401, no('Invalid key')], 'refused', 'Paystack does not accept the secret key: Invalid key'],
      [[403, no('IP address not allowed')], 'refused', 'IP address not allowed'],
      [[404, no('Endpoint not found')], 'refused', 'Endpoint not found'],
      [[404, notFound], 'refused', 'Transaction reference not found.'],
      [[422, no('Invalid state')], 'refused', 'Invalid state'],
      [[429, no('Rate limit exceeded!')], 'limited', 'Rate limit exceeded!'],
      [[500, notFound], 'unknown', 'Transaction reference not found. (HTTP 500)'],
      [[200, no('')], 'unknown', 'HTTP 200 (HTTP 200)'],
      [[404, { error: 'x' }], 'unknown', "the answer is not one of Paystack's (HTTP 404)"],
    ];
    for (const [reply, kind, message] of rows) {
      const error = errorOf(await answerOf(reply), 'create');
      expect(error, message).to.include({ kind, stage: 'create', message });
    }
  });
});
