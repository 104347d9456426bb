import { expect } from 'chai';
import {
  bodyOf,
  errorOf,
  isDuplicate,
  isNotFound,
  refusalOf,
} from '../../../../domain/providers/monnify/answers.ts';
import { answerOf, type Reply } from '../calls.ts';
import { no, ok, reference, transaction } from './examples.ts';

const internalError = no('There was an error processing the request, Please try again later...');
const named = `Could not find transaction with payment reference ${reference} for merchant Ada & Co`;
const unnamed = "There's no transaction matching supplied reference. Please try again.";

async function expectEach(
  replies: Reply[],
  read: (reply: Reply) => Promise<unknown>,
  value: unknown,
) {
  for (const reply of replies) expect(await read(reply), JSON.stringify(reply)).to.equal(value);
}

describe('An answer of Monnify', () => {
  it('is about an unknown payment only with 404, code 99 and one of two texts', async () => {
    const read = async (reply: Reply) => isNotFound(await answerOf(reply));
    const absent = [no(named, 99), no(named), no(unnamed, 99), no(named.toUpperCase(), ' 99 ')];
    await expectEach(
      absent.map((body): Reply => [404, body]),
      read,
      true,
    );
    const others: Reply[] = [
      [404, { error: named }],
      [404, no('The requested resource could not be found')],
      [404, no(named, 'R1')],
      [404, { ...no(named, 99), requestSuccessful: true }],
      ...[200, 400, 429, 500].map((status): Reply => [status, no(named, 99)]),
    ];
    await expectEach(others, read, false);
  });

  it('is about a repeated reference only by its text, and only as a refusal', async () => {
    const read = async (reply: Reply) => isDuplicate(await answerOf(reply));
    const duplicates: Reply[] = [
      [422, no('Duplicate payment reference')],
      [400, no('duplicate payment reference.', 99)],
      [422, no('Payment already exists')],
      [200, no('Duplicate payment reference')],
    ];
    await expectEach(duplicates, read, true);
    const others: Reply[] = [
      [500, no('Duplicate payment reference')],
      [400, { error: 'Duplicate payment reference' }],
    ];
    await expectEach(others, read, false);
  });

  it('holds a result only where status, flag and code all say so', async () => {
    const read = async (reply: Reply) => bodyOf(await answerOf(reply)) !== undefined;
    const good = ok(transaction());
    await expectEach(
      [
        [200, good],
        [200, { ...good, responseCode: 0 }],
      ],
      read,
      true,
    );
    const others: Reply[] = [
      [200, { ...good, responseCode: '99' }],
      [200, { ...good, responseCode: null }],
      [200, { ...good, requestSuccessful: false }],
      [200, ok(null)],
      [200, ok([])],
      [500, good],
    ];
    await expectEach(others, read, false);
  });

  it('states the code of a refusal where the call surely did not work', async () => {
    const read = async (reply: Reply) => refusalOf(await answerOf(reply));
    await expectEach(
      [
        [200, no('x', 'R2')],
        [422, no('x', 'R2')],
      ],
      read,
      'R2',
    );
    const others: Reply[] = [
      [500, no('x', 'R2')],
      [429, no('x', 'R2')],
      [403, { error: 'R2' }],
    ];
    await expectEach([...others, [200, ok({})]], read, undefined);
  });

  it('becomes an error whose kind says whether the call may have taken effect', async () => {
    const text = ' The request could not be\ncompleted\u0000 ';
    const token = 'Monnify does not accept its own access token: Access token expired';
    const rows: [reply: Reply, kind: string, message: string][] = [
      [[422, no('Could not find contract')], 'refused', 'Could not find contract'],
      [[400, no('Unknown currency', 99)], 'refused', 'Unknown currency'],
      [[400, no(text)], 'refused', 'The request could not be completed'],
      [[404, no('Settlement not found')], 'refused', 'Settlement not found'],
      [[403, no('')], 'refused', 'HTTP 403'],
      [[401, no('Access token expired')], 'refused', token],
      [[429, no('Too many requests')], 'limited', 'Too many requests'],
      [[400, internalError], 'unknown', `${internalError.responseMessage} (HTTP 400)`],
      [[200, no('Something went wrong')], 'unknown', 'Something went wrong (HTTP 200)'],
      [[500, ok({})], 'unknown', 'success (HTTP 500)'],
      [[400, { error: 'x' }], 'unknown', "the answer is not one of Monnify's (HTTP 400)"],
      [[200, ok({})], 'unknown', 'the answer does not hold what was asked for'],
    ];
    for (const [reply, kind, message] of rows)
      expect(errorOf(await answerOf(reply), 'create'), message).to.include({ kind, message });
  });
});
