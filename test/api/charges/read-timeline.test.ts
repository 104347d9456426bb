import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { newCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /charges/{reference}/timeline', () => {
  const stack = useStack();
  let reference: string;
  before(async () => {
    ({ reference } = await newCharge(stack));
    await stack.settle();
    await stack.control.pay(reference);
    await stack.settle();
  });

  const read = (query = '', of = reference) => stack.api.get(`/charges/${of}/timeline${query}`);

  it('lists the entries of a charge, oldest first', async () => {
    const answer = await writingNothing(stack, () => read());
    const { data, ...rest } = answer.json;
    expect([answer.status, rest]).to.deep.equal([200, { tenant_id: stack.tenant.tenant_id }]);
    expect(data.map(({ what }: { what: string }) => what)).to.deep.equal([
      ...['charge.initiated', 'charge.pending', 'charge.succeeded'],
    ]);
    for (const entry of data) {
      expect(Object.keys(entry)).to.deep.equal([
        ...['object', 'id', 'at', 'what', 'detail', 'amount_kobo', 'evidence_sha256'],
      ]);
      expect(entry.object).to.equal('timeline_entry');
      expect(entry.id).to.match(/^tle_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect(new Date(entry.at).toISOString()).to.equal(entry.at);
      expect(entry.detail).to.be.a('string').that.matches(/\.$/);
    }
    expect([data[0].amount_kobo, data[2].amount_kobo]).to.deep.equal([100_000, 100_000]);
  });

  it("refuses another charge's cursor", async () => {
    const other = await newCharge(stack);
    const { next_cursor } = (await read('?limit=1')).json;
    const foreign = await read(`?cursor=${next_cursor}`, other.reference);
    expectRefused(foreign, 'validation_failed', ['cursor']);
  });

  it('names the SHA-256 of the provider’s answer that proved the payment', async () => {
    const { evidence_sha256: sha256 } = (await read()).json.data.at(-1);
    const [evidence] = await stack.sql`select * from evidence where sha256 = ${sha256}`;
    const { charge_id: row, payload: sealed } = evidence;
    const owner = { table: 'evidence', row, tenant: stack.tenant.tenant_id, mode: 'test' } as const;
    const payload = stack.context.vault.open(sealed, owner);
    expect(sha256Of(payload)).to.equal(sha256);
    expect(JSON.parse(payload).data).to.include({ status: 'success', amount: 100_000 });
  });
});
