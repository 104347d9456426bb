import {
  answerForm,
  isNotFound,
  type Thing,
} from '../../../../domain/providers/flutterwave/answers.ts';
import { describeAnswers, type ErrorRow, expectOfEach } from '../answers.ts';
import type { Reply } from '../calls.ts';
import { bad, good, noTransaction, transaction } from './examples.ts';

const { message } = noTransaction;
const invalid = bad('Validation error');
const tooSmall = 'amount is too small';
const ofAmount = { field: 'amount', message: tooSmall };
const used = [
  ...['Transaction reference has been used before', 'Transaction reference already exists'],
  ...['Duplicate tx_ref', 'Tx_ref has been used'],
];
const foreign = "the answer is not one of Flutterwave's (HTTP 400)";

describeAnswers({
  ...{ form: answerForm, duplicateElsewhere: 'refused' },
  good: [[200, good({ id: 1 })]],
  others: [
    ...[null, []].map((data): Reply => [200, good(data)]),
    [200, { ...good({ id: 1 }), status: 'error' }],
    [500, good({ id: 1 })],
  ],
  errors: [
    ...used.map((text): ErrorRow => [[400, bad(text)], 'duplicate', text]),
    [[400, bad('tx_ref is required')], 'refused', 'Tx_ref is required'],
    [[400, bad(' Invalid\ncurrency\u0000 ')], 'refused', 'Invalid currency'],
    [[400, { ...invalid, errors: [ofAmount] }], 'refused', `Validation error: ${tooSmall}`],
    [[400, { ...bad(tooSmall), errors: [ofAmount, 7] }], 'refused', 'Amount is too small'],
    [[400, { ...invalid, errors: [null] }], 'refused', 'Validation error'],
    [[401, bad('X')], 'refused', 'Flutterwave does not accept the secret key: X'],
    [[403, bad('IP address not allowed')], 'refused', 'IP address not allowed'],
    [[404, bad('Resource not found')], 'refused', 'Resource not found'],
    ...['An error has occurred', 'Something went wrong', 'Request timed out'].map(
      (text): ErrorRow => [[400, bad(text)], 'unknown', `${text} (HTTP 400)`],
    ),
    [[409, bad('A refund is in progress')], 'unknown', 'A refund is in progress (HTTP 409)'],
    [[429, bad('Too many requests')], 'limited', 'Too many requests'],
    [[500, bad('Duplicate tx_ref')], 'unknown', 'Duplicate tx_ref (HTTP 500)'],
    [[400, { status: false, message: 'Bad request' }], 'unknown', foreign],
    [[400, { status: 'error' }], 'unknown', foreign],
  ],
});

describe('An answer of Flutterwave', () => {
  it('is about something unknown only by its text, where Flutterwave itself says so', async () => {
    const isAbsent = (thing: Thing) => (answer: Parameters<typeof isNotFound>[0]) =>
      isNotFound(answer, thing);
    const absent: Reply[] = [
      ...[200, 400, 404].map((status): Reply => [status, noTransaction]),
      [200, { ...noTransaction, status: 'success' }],
      [400, bad('No transaction found')],
      [404, bad('Transaction not found')],
      [400, { status: 'error', message }],
    ];
    await expectOfEach(absent, isAbsent('transaction'), true);
    await expectOfEach(absent, isAbsent('refund'), false);
    const others: Reply[] = [
      [404, `<html>${message}</html>`],
      [404, { message }],
      [404, { status: false, message }],
      [404, bad('Resource not found')],
      [400, bad('tx_ref is required')],
      [401, noTransaction],
      [500, noTransaction],
      [200, { ...bad('Something went wrong'), data: transaction() }],
      [400, { ...noTransaction, data: transaction() }],
    ];
    await expectOfEach(others, isAbsent('transaction'), false);
    const texts: [Thing, Reply][] = [
      ['refund', [404, bad('Refund not found')]],
      ['refund', [400, bad('No refund was found for this id')]],
      ['settlement', [404, bad('No settlements found')]],
      ['settlement', [404, bad('Settlements were not found')]],
    ];
    for (const [thing, reply] of texts) await expectOfEach([reply], isAbsent(thing), true);
  });
});
