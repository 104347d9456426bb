import { expect } from 'chai';
import { errorOf } from '../../../../domain/providers/adapter/answers.ts';
import { answerForm, isNotFound } from '../../../../domain/providers/paystack/answers.ts';
import { describeAnswers, type ErrorRow, expectOfEach } from '../answers.ts';
import { answerOf, type Reply } from '../calls.ts';
import { good, transaction } from './examples.ts';

const no = (message: string, code?: string) => ({ status: false, message, ...(code && { code }) });
const foreign = "the answer is not one of Paystack's (HTTP 404)";
const notFound = no('Transaction reference not found.', 'transaction_not_found');

describeAnswers({
  ...{ form: answerForm, duplicateElsewhere: 'duplicate' },
  good: [[200, good({})]],
  others: [
    ...([200, 500].map((status) => [status, no('x')]) as Reply[]),
    ...[[500, good({})] as Reply, [300, good({})] as Reply, [200, { data: {} }] as Reply],
    ...[null, [], 'x'].map((data): Reply => [200, good(data)]),
  ],
  errors: [
    ...['Duplicate Transaction Reference', 'duplicate transaction reference'].map(
      (text): ErrorRow => [[400, no(text)], 'duplicate', text],
    ),
    [[400, no('Reference was used', 'duplicate_reference')], 'duplicate', 'Reference was used'],
    [[500, no('x', 'duplicate_reference')], 'unknown', 'x (HTTP 500)'],
    [[400, no(' Integration has\nbeen closed\u0000 ')], 'refused', 'Integration has been closed'],
    [[401, no('Invalid key')], 'refused', 'Paystack does not accept the secret key: Invalid key'],
    [[403, no('IP address not allowed')], 'refused', 'IP address not allowed'],
    [[404, no('Endpoint not found')], 'refused', 'Endpoint not found'],
    [[404, notFound], 'refused', 'Transaction reference not found.'],
    [[422, no('Invalid state')], 'refused', 'Invalid state'],
    [[400, { ...no('x'), type: null }], 'refused', 'x'],
    [[400, { ...no('x'), type: 'api_error' }], 'refused', 'x'],
    [[400, { ...no('x'), type: 'processor_error' }], 'unknown', 'x (HTTP 400)'],
    [[400, no('x', 'unknown')], 'unknown', 'x (HTTP 400)'],
    [[400, { ...no('x'), type: 'another_error' }], 'unknown', 'x (HTTP 400)'],
    [[409, no('In progress', 'conflict')], 'unknown', 'In progress (HTTP 409)'],
    [[400, { ...no('x', 'missing_params'), type: 'validation_error' }], 'refused', 'x'],
    [[429, no('Rate limit exceeded!')], 'limited', 'Rate limit exceeded!'],
    [[500, notFound], 'unknown', 'Transaction reference not found. (HTTP 500)'],
    [[200, no('')], 'unknown', 'HTTP 200 (HTTP 200)'],
    [[404, { status: 'no', message: 'x' }], 'unknown', foreign],
    [[404, { status: false }], 'unknown', foreign],
  ],
});

describe('An answer of Paystack', () => {
  it('is about something unknown only where Paystack itself says so', async () => {
    const absent: Reply[] = [
      ...[[400, notFound] as Reply, [404, notFound] as Reply, [404, no('Not found')] as Reply],
      [400, no('Transaction reference not found')],
      [400, no('No such thing', 'transaction_not_found')],
    ];
    await expectOfEach(absent, (answer) => isNotFound(answer, 'transaction'), true);
    const others: Reply[] = [
      [404, { error: 'not found' }],
      [404, '<html>Transaction not found</html>'],
      [404, no('Endpoint not found', 'route_not_found')],
      [400, no('Transaction ID should be numeric.')],
      [500, notFound],
      [200, { ...no('Something went wrong'), data: transaction() }],
      [404, { ...notFound, status: true }],
    ];
    await expectOfEach(others, (answer) => isNotFound(answer, 'transaction'), false);
    const isNoRefund = (answer: Parameters<typeof isNotFound>[0]) => isNotFound(answer, 'refund');
    for (const body of [no('Refund not found', 'x'), no('x', 'refund_not_found')])
      await expectOfEach([[404, body]], isNoRefund, true);
    await expectOfEach([[404, notFound]], isNoRefund, false);
  });

  it('states the wait of x-ratelimit-reset at 429, where there is no Retry-After', async () => {
    const rows: [headers: Record<string, string>, retryAfterMs: number | null][] = [
      [{ 'x-ratelimit-reset': '42' }, 42_000],
      [{ 'x-ratelimit-reset': '42', 'retry-after': '7' }, 7_000],
      [{ 'x-ratelimit-reset': '42', 'retry-after': 'Mon, 02 Mar 2026 09:15:02 GMT' }, 42_000],
      [{ 'x-ratelimit-reset': '7200' }, 3_600_000],
      [{ 'x-ratelimit-reset': '1772442902' }, null],
      [{ 'x-ratelimit-reset': 'soon' }, null],
    ];
    for (const [headers, retryAfterMs] of rows) {
      const answer = await answerOf([429, no('Rate limit exceeded!')], 'verify', headers);
      expect(errorOf(answerForm, answer).retryAfterMs).to.equal(retryAfterMs);
    }
  });
});
