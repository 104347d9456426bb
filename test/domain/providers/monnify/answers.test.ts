import {
  answerForm,
  isEmpty,
  isNotFound,
  refusalOf,
} from '../../../../domain/providers/monnify/answers.ts';
import { describeAnswers, type ErrorRow, expectOfEach } from '../answers.ts';
import type { Reply } from '../calls.ts';
import { no, ok, reference, transaction } from './examples.ts';

const good = ok(transaction());
const named = `Could not find transaction with payment reference ${reference} for merchant Ada & Co`;
const unnamed = "There's no transaction matching supplied reference. Please try again.";
const internal = [
  ...['There was an error processing the request, Please try again later...'],
  ...['Error occurred while processing your request', 'System error. Contact support.'],
];
const used = ['Duplicate payment reference', 'Payment already exists'];
const foreign = "the answer is not one of Monnify's (HTTP 400)";

describeAnswers({
  ...{ form: answerForm, duplicateElsewhere: 'refused' },
  good: [
    [200, good],
    [200, { ...good, responseCode: 0 }],
  ],
  others: [
    ...['99', null].map((responseCode): Reply => [200, { ...good, responseCode }]),
    [200, { ...good, requestSuccessful: false }],
    ...[null, []].map((body): Reply => [200, ok(body)]),
    [500, good],
  ],
  errors: [
    ...used.map((text): ErrorRow => [[422, no(text)], 'duplicate', text]),
    [[200, no('duplicate payment reference.', 99)], 'duplicate', 'duplicate payment reference.'],
    [[500, no(used[0]!)], 'unknown', `${used[0]} (HTTP 500)`],
    [[422, no('Could not find contract')], 'refused', 'Could not find contract'],
    [[400, no('Unknown currency', 99)], 'refused', 'Unknown currency'],
    [[400, no(' The request could\nnot\u0000 ')], 'refused', 'The request could not'],
    [[404, no('Settlement not found')], 'refused', 'Settlement not found'],
    [[403, no('')], 'refused', 'HTTP 403'],
    ...['R1', 'R99', 'M01', 'M02'].map(
      (code): ErrorRow => [[422, no('x', code)], 'unknown', 'x (HTTP 422)'],
    ),
    [[409, no('x')], 'unknown', 'x (HTTP 409)'],
    [[401, no('x')], 'refused', 'Monnify does not accept its own access token: x'],
    [[429, no('Too many requests')], 'limited', 'Too many requests'],
    ...internal.map((text): ErrorRow => [[400, no(text)], 'unknown', `${text} (HTTP 400)`]),
    [[200, no('Something went wrong')], 'unknown', 'Something went wrong (HTTP 200)'],
    [[500, ok({})], 'unknown', 'success (HTTP 500)'],
    [[400, { requestSuccessful: false }], 'unknown', foreign],
    [[400, { responseCode: '99' }], 'unknown', foreign],
  ],
});

describe('An answer of Monnify', () => {
  it('is about an unknown payment only with 404, code 99 and one of two texts', async () => {
    const absent = [no(named, 99), no(named), no(unnamed, 99), no(named.toUpperCase(), ' 99 ')];
    for (const body of absent) await expectOfEach([[404, body]], isNotFound, true);
    const others: Reply[] = [
      [404, { error: named }],
      [404, no('The requested resource could not be found')],
      [404, no(named, 'R1')],
      [404, { ...no(named, 99), requestSuccessful: true }],
      ...[200, 400, 429, 500].map((status): Reply => [status, no(named, 99)]),
    ];
    await expectOfEach(others, isNotFound, false);
  });

  it('states the code of a refusal where the call surely did not work', async () => {
    const refused = [200, 422, 499].map((status): Reply => [status, no('x', 'R2')]);
    await expectOfEach(refused, refusalOf, 'R2');
    const others = [500, 429, 199].map((status): Reply => [status, no('x', 'R2')]);
    await expectOfEach([...others, [403, { error: 'R2' }], [200, ok({})]], refusalOf, undefined);
  });

  it('is empty only where the call succeeded', async () => {
    const empty = [null, undefined].map((body): Reply => [200, ok(body)]);
    await expectOfEach(empty, isEmpty, true);
    const others: Reply[] = [
      [200, ok({})],
      [500, ok(null)],
      [200, no('x')],
    ];
    await expectOfEach(others, isEmpty, false);
  });
});
