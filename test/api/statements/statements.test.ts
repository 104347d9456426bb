import { expect } from 'chai';
import { expectRefused } from '../../support/contract.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /statements/{month}', () => {
  const stack = useStack({ workers: false, books: false });
  const fieldsOf = async (address: string) => {
    const answer = await stack.api.get(`/statements/${address}`);
    expectRefused(answer, 'validation_failed');
    return answer.json.error.fields;
  };

  it('names what is wrong with a month, and with a provider', async () => {
    for (const month of ['2026-13', '2026-1', '2026-11-01', '0000-01', 'now', '1'.repeat(500)])
      expect(await fieldsOf(month)).to.deep.equal({ month: 'must be a month like 2026-11' });
    expect(await fieldsOf('9999-12')).to.deep.equal({ month: 'must not lie ahead' });
    const before = { month: 'must not be before the business was created' };
    expect(await fieldsOf('1000-01')).to.deep.equal(before);
    const month = stack.clock().toISOString().slice(0, 7);
    expect(await fieldsOf(`${month}?provider=paystack`)).to.have.keys(['provider']);
  });
});
