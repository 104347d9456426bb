import { expect } from 'chai';
import { insertByCredential } from '../../../../domain/payments/charge/insert.ts';
import { usePlans } from '../../../support/plans.ts';

describe('The statement that writes charges', () => {
  const plans = usePlans(async () => {});

  it('looks each credential and customer up by a whole key, and reads no table', async () => {
    const plan = await plans.linesOf((sql) => insertByCredential(sql, [], []));
    expect(plan.join('\n'))
      .to.match(/Index Cond: \(sha256 = asked_\d+\.asker\)/)
      .and.include('Index Scan using customer_words_pkey')
      .and.not.include('customer_words_newest')
      .and.not.include('Seq Scan');
  });
});
