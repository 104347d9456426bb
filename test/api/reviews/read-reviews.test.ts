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

  const list = async (query = ''): Promise<string[]> => {
    const { status, json, text } = await stack.api.get(`/reviews${query}`);
    expect(status, text).to.equal(200);
    return json.data.map(({ id }: { id: string }) => id);
  };

  it('filters by status, by reason, and by both', async () => {
    expect(await list('?status=open')).to.deep.equal([ids[0], ids[2], ids[3]]);
    expect(await list('?status=closed')).to.deep.equal([ids[1]]);
    expect(await list('?reason=underpaid')).to.deep.equal([ids[1], ids[3]]);
    expect(await list('?reason=underpaid&status=open')).to.deep.equal([ids[3]]);
    expect(await list('?reason=link_paid_before')).to.deep.equal([]);
  });

  it('shows one as the list does', async () => {
    const { json } = await stack.api.get('/reviews?status=closed');
    expect((await stack.api.get(`/reviews/${ids[1]}`)).json).to.deep.equal(json.data[0]);
  });

  it('finds the few open ones among many decided ones by an index', async () => {
    const plan = await stack.context.db.transaction(async (sql) => {
      await sql.query(
        `insert into reviews select 'rev_' || lpad(n::text, 26, '0'), tenant_id, mode, charge_id, null, reason, detail, 1, 'accepted', 'x', now(), now()
         from reviews, generate_series(1, 20000) n where id = $1`,
        [ids[0]],
      );
      await sql.query('analyze reviews');
      const lines = await sql.query<{ 'QUERY PLAN': string }>(
        `explain select 1 from reviews r join charges c on c.id = r.charge_id
         where r.id < '~' and r.tenant_id = '${stack.tenant.tenant_id}' and r.mode = 'test' and (r.status = 'open') = true
         order by r.id desc limit 26`,
      );
      await sql.query(`delete from reviews where decided_by = 'x'`);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    expect(plan).to.include('reviews_open');
  });
});
