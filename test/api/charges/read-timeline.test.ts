import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /charges/{reference}/timeline', () => {
  const stack = useStack();
  let reference: string;
  before(async () => {
    reference = (
      await stack.api.post('/charges', { amount_kobo: 50_000, email: 'ada@example.com' })
    ).json.reference;
    await stack.settle();
    await stack.control.pay(reference);
    await stack.settle();
  });

  it('lists the entries of a charge, oldest first', async () => {
    const answer = await writingNothing(stack, () =>
      stack.api.get(`/charges/${reference}/timeline`),
    );
    expect(answer.status).to.equal(200);
    const { data, ...rest } = answer.json;
    expect(rest).to.deep.equal({ tenant_id: stack.tenant.tenant_id });
    expect(data.map(({ what }: { what: string }) => what)).to.deep.equal([
      'charge.initiated',
      'charge.pending',
      'charge.succeeded',
    ]);
    for (const entry of data) {
      expect(Object.keys(entry)).to.deep.equal([
        'object',
        'id',
        'at',
        'what',
        'detail',
        'amount_kobo',
        'evidence_sha256',
      ]);
      expect(entry.object).to.equal('timeline_entry');
      expect(entry.id).to.match(/^tle_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect(new Date(entry.at).toISOString()).to.equal(entry.at);
      expect(entry.detail).to.be.a('string').that.matches(/\.$/);
    }
    const times = data.map(({ at }: { at: string }) => at);
    expect(times).to.deep.equal([...times].sort());
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).to.equal(3);
    expect([data[0].amount_kobo, data[2].amount_kobo]).to.deep.equal([50_000, 50_000]);
  });

  it("refuses another charge's cursor", async () => {
    const other = await newCharge(stack);
    const { next_cursor } = (await stack.api.get(`/charges/${reference}/timeline?limit=1`)).json;
    const path = `/charges/${other.reference}/timeline?cursor=${next_cursor}`;
    expectRefused(await stack.api.get(path), 'validation_failed', ['cursor']);
  });

  it('names the SHA-256 of the provider’s answer that proved the payment', async () => {
    const { data } = (await stack.api.get(`/charges/${reference}/timeline`)).json;
    const paid = data.at(-1);
    const { db, vault } = stack.context;
    const [evidence] = await db.query<{ payload: string; charge_id: string }>(
      'select * from evidence where sha256 = $1',
      [paid.evidence_sha256],
    );
    const owner = {
      table: 'evidence',
      row: evidence!.charge_id,
      tenant: stack.tenant.tenant_id,
      mode: 'test',
    };
    const payload = vault.open(evidence!.payload, owner);
    expect(createHash('sha256').update(payload).digest('hex')).to.equal(paid.evidence_sha256);
    expect(JSON.parse(payload).data).to.include({ status: 'success', amount: 50_000 });
  });
});
