import { expect } from 'chai';
import { addReview } from '../../support/reviews.ts';
import { useStack } from '../../support/stack.ts';

describe('Reading reviews', () => {
  const stack = useStack({ workers: false });
  let ids: string[];
  before(async () => {
    ids = [];
    for (const reason of ['underpaid', 'dispute', 'underpaid', 'overpaid'] as const)
      ids.unshift(await addReview(stack, reason));
    await stack.sql`update reviews set status = 'resolved', decided_at = now()
      where id = ${ids[1]}`;
  });

  it('shows one as the list does', async () => {
    const { json } = await stack.api.get('/reviews?status=closed');
    expect((await stack.api.get(`/reviews/${ids[1]}`)).json).to.deep.equal(json.data[0]);
  });
});
