import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createBatcher } from '../../../scripts/sandbox/batcher.ts';
import { newReference, openFixture } from './fixture.ts';

const order = { email: 'ada@example.com', amount: 500_000 };

describe('sandbox: calls that share a statement', () => {
  it('go together while a batch runs or is younger than the spacing, and alone at once', async () => {
    const batches: number[][] = [];
    const double = createBatcher(async (items: readonly number[]) => {
      batches.push([...items]);
      return items.map((item) => 2 * item);
    }, 50);
    const first = double(1);
    await pause(10);
    expect(batches).to.deep.equal([[1]]);
    expect(await Promise.all([first, double(2), double(3)])).to.deep.equal([2, 4, 6]);
    expect(batches).to.deep.equal([[1], [2, 3]]);
  });

  it('fail alone when one of them is at fault', async () => {
    const check = createBatcher(async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('refused');
      return [...items];
    }, 1);
    const results = await Promise.allSettled(['a', 'bad', 'c'].map(check));
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('are answered each with its own payment, and one of two with the same reference is refused', async () => {
    await using fixture = await openFixture();
    const references = Array.from({ length: 30 }, () => newReference());
    const replies = await Promise.all(
      [...references, references[0]].map((reference) =>
        fixture.paystack('POST', '/transaction/initialize', { ...order, reference }),
      ),
    );
    const accepted = replies.filter(({ status }) => status === 200);
    expect(accepted.map(({ body }) => body.data.reference)).to.have.members(references);
    const verified = await Promise.all(
      references.map((reference) =>
        fixture.paystack('GET', `/transaction/verify/${reference}`).then(({ body }) => body.data),
      ),
    );
    expect(verified.map(({ reference }) => reference)).to.deep.equal(references);
  });
});
