import { expect } from 'chai';
import { errorOf, isNotFound, recordOf } from '../../../../domain/providers/flutterwave/answers.ts';
import { answerOf, type Reply, thrownBy } from '../calls.ts';
import { bad, good, noTransaction, transaction } from './examples.ts';

const { message } = noTransaction;

describe('An answer of Flutterwave', () => {
  it('is about an unknown payment only by its text, where Flutterwave itself says so', async () => {
    const absent: Reply[] = [
      ...[200, 400, 404].map((status): Reply => [status, noTransaction]),
      [200, { ...noTransaction, status: 'success' }],
      [400, bad('No transaction found')],
      [404, bad('Transaction not found')],
      [400, { status: 'error', message }],
    ];
    for (const reply of absent) {
      const answer = await answerOf(reply);
      expect(isNotFound(answer, 'transaction'), JSON.stringify(reply)).to.equal(true);
      expect(isNotFound(answer, 'refund'), JSON.stringify(reply)).to.equal(false);
    }
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
    for (const reply of others)
      expect(isNotFound(await answerOf(reply), 'transaction'), JSON.stringify(reply)).to.equal(
        false,
      );
    for (const [status, text] of [
      [404, 'Refund not found'],
      [400, 'No refund was found for this id'],
    ] as const)
      expect(isNotFound(await answerOf([status, bad(text)]), 'refund')).to.equal(true);
    for (const text of ['No settlements found', 'Settlements were not found'])
      expect(isNotFound(await answerOf([404, bad(text)]), 'settlement')).to.equal(true);
  });

  it('holds a record only where it succeeded', async () => {
    expect(recordOf(await answerOf([200, good({ id: 1 })]), 'read')).to.deep.equal({ id: 1 });
    const others: Reply[] = [
      [200, good(null)],
      [200, good([])],
      [200, { ...good({ id: 1 }), status: 'error' }],
      [500, good({ id: 1 })],
    ];
    for (const reply of others) {
      const answer = await answerOf(reply);
      expect(
        thrownBy(() => recordOf(answer, 'read')),
        JSON.stringify(reply),
      ).to.include({
        ...{ kind: 'unknown', stage: 'read' },
      });
    }
  });

  it('becomes an error whose kind says whether the call may have taken effect', async () => {
    const invalid = bad('Validation error');
    const key = 'Flutterwave does not accept the secret key: Authorization required';
    const used = [
      ...['Transaction reference has been used before', 'Transaction reference already exists'],
      ...['Duplicate tx_ref', 'Tx_ref has been used'],
    ];
    const rows: [reply: Reply, kind: string, message: string][] = [
      ...used.map((text): [Reply, string, string] => [[400, bad(text)], 'duplicate', text]),
      [[400, bad('tx_ref is required')], 'refused', 'Tx_ref is required'],
      [[400, bad(' Invalid\ncurrency\u0000 ')], 'refused', 'Invalid currency'],
      [
        [400, { ...invalid, errors: [{ field: 'amount', message: 'amount is too small' }] }],
        'refused',
        'Validation error: amount is too small',
      ],
      [
        [400, { ...bad('amount is too small'), errors: [{ message: 'amount is too small' }, 7] }],
        'refused',
        'Amount is too small',
      ],
      [[400, { ...invalid, errors: [null] }], 'refused', 'Validation error'],
      [[401, bad('Authorization required')], 'refused', key],
      [[403, bad('IP address not allowed')], 'refused', 'IP address not allowed'],
      [[404, bad('Resource not found')], 'refused', 'Resource not found'],
      [[429, bad('Too many requests')], 'limited', 'Too many requests'],
      [[500, bad('Duplicate tx_ref')], 'unknown', 'Duplicate tx_ref (HTTP 500)'],
      [
        [400, { status: false, message: 'Bad request' }],
        'unknown',
        "the answer is not one of Flutterwave's (HTTP 400)",
      ],
    ];
    for (const [reply, kind, text] of rows)
      expect(errorOf(await answerOf(reply), 'create'), text).to.include({ kind, message: text });
    const refund = errorOf(await answerOf([400, bad(used[0]!)]), 'refund');
    expect(refund.kind, 'only a create can be a duplicate').to.equal('refused');
  });
});
