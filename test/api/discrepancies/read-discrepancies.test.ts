import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { memberOf } from '../../support/members.ts';
import { expectNoLeaks, type Stack, startStack, withNewTenant } from '../../support/stack.ts';
import { addSettlement } from '../settlements/given.ts';

describe('GET /discrepancies', () => {
  let shared: Stack;
  let stack: Stack;
  before(async () => {
    shared = await startStack({ workers: false });
  });
  after(() => shared[Symbol.asyncDispose]());
  beforeEach(async () => {
    stack = await withNewTenant(shared);
  });
  afterEach(() => expectNoLeaks(stack));

  const list = async (query = '', key?: string): Promise<string[]> => {
    const { status, json, text } = await stack.api.get(
      `/discrepancies?${query}`,
      key === undefined ? {} : { key },
    );
    expect(status, text).to.equal(200);
    return json.data.map(({ id }: { id: string }) => id);
  };

  /** A line of a settlement, for the payment of a charge. */
  async function addLine(settlementId: string): Promise<string> {
    const id = newId('sln', stack.clock());
    await stack.context.db.query(
      `insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id,
         reference, amount_kobo, fee_kobo, is_foreign, needs_rematch, statement_version)
       values ($1, $2, 'con_unknown', '4099260516', 'SV-100001-4f7k2m9p', 250000, 6250, false,
         false, 1)`,
      [id, settlementId],
    );
    return id;
  }

  it('answers every field, with its settlement line', async () => {
    const settlementId = await addSettlement(stack);
    const [chargeId] = await addCharges(stack, [{}]);
    const lineId = await addLine(settlementId);
    const id = await addDiscrepancy(stack, {
      settlementId,
      lineId,
      chargeId: chargeId!,
      day: '2026-03-04',
      differenceKobo: -2_500,
    });
    const answer = await stack.api.get(`/discrepancies/${id}`);
    expect(answer.status, answer.text).to.equal(200);
    expectContractHeaders(answer, stack.tenant.tenant_id);
    const { opened_at: openedAt, ...rest } = answer.json;
    expect(openedAt).to.equal(new Date(openedAt).toISOString());
    expect(rest).to.deep.equal({
      object: 'discrepancy',
      id,
      kind: 'fee_mismatch',
      provider: 'provider_a',
      status: 'open',
      settlement_id: settlementId,
      transaction_id: chargeId,
      reference: 'SV-100001-4f7k2m9p',
      amount_kobo: 2_500,
      difference_kobo: -2_500,
      detail: 'The fee differs.',
      line: {
        provider_reference: '4099260516',
        reference: 'SV-100001-4f7k2m9p',
        amount_kobo: 250_000,
        fee_kobo: 6_250,
      },
      date: '2026-03-04',
      closed_by: null,
      close_reason: null,
      ended_at: null,
      mode: 'test',
    });
    expect((await stack.api.get('/discrepancies')).json.data).to.deep.equal([answer.json]);
  });

  it('answers null for the fields that a whole settlement does not have', async () => {
    const settlementId = await addSettlement(stack);
    const id = await addDiscrepancy(stack, {
      kind: 'short',
      status: 'resolved',
      settlementId,
      reference: null,
    });
    const { json } = await stack.api.get(`/discrepancies/${id}`);
    expect(json).to.include({
      kind: 'short',
      status: 'resolved',
      transaction_id: null,
      reference: null,
      line: null,
    });
    expect(json.ended_at).to.be.a('string');
  });

  it('lists them newest first, page by page, the last page without a cursor', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.unshift(await addDiscrepancy(stack, { kind: n % 2 ? 'short' : 'missing' }));
    for (const filter of ['', 'status=open&', 'from=2026-01-01&']) {
      const first = (await stack.api.get(`/discrepancies?${filter}limit=3`)).json;
      expect(first.tenant_id).to.equal(stack.tenant.tenant_id);
      const second = (
        await stack.api.get(`/discrepancies?${filter}limit=3&cursor=${first.next_cursor}`)
      ).json;
      expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal(ids);
      expect(second).not.to.have.property('next_cursor');
    }
  });

  it('filters by status, kind, settlement, provider and day, both days included, and by all of them together', async () => {
    const [one, other] = [
      await addSettlement(stack),
      await addSettlement(stack, { slot: 'provider_b' }),
    ];
    const a = await addDiscrepancy(stack, { settlementId: one, day: '2026-02-28' });
    const b = await addDiscrepancy(stack, {
      settlementId: other,
      slot: 'provider_b',
      kind: 'short',
      day: '2026-03-01',
      reference: null,
    });
    const c = await addDiscrepancy(stack, {
      status: 'closed',
      settlementId: one,
      kind: 'amount_mismatch',
      day: '2026-03-01',
    });
    const d = await addDiscrepancy(stack, {
      status: 'resolved',
      kind: 'missing',
      day: '2026-03-02',
    });
    expect(await list()).to.deep.equal([d, c, b, a]);
    expect(await list('status=open')).to.deep.equal([b, a]);
    expect(await list('status=closed')).to.deep.equal([c]);
    expect(await list('status=resolved')).to.deep.equal([d]);
    expect(await list('kind=short')).to.deep.equal([b]);
    expect(await list('kind=surplus')).to.deep.equal([]);
    expect(await list('provider=provider_b')).to.deep.equal([b]);
    expect(await list(`settlement=${one}`)).to.deep.equal([c, a]);
    expect(await list(`settlement=${one}&status=open`)).to.deep.equal([a]);
    expect(await list(`settlement=${one}&kind=amount_mismatch`)).to.deep.equal([c]);
    expect(await list(`settlement=${one}&provider=provider_b`)).to.deep.equal([]);
    expect(await list(`settlement=${one}&from=2026-03-01`)).to.deep.equal([c]);
    expect(await list(`settlement=${one}&to=2026-02-28`)).to.deep.equal([a]);
    expect(await list(`settlement=${newId('stl', stack.clock())}`)).to.deep.equal([]);
    expect(await list('from=2026-03-01')).to.deep.equal([d, c, b]);
    expect(await list('to=2026-03-01')).to.deep.equal([c, b, a]);
    expect(await list('from=2026-03-01&to=2026-03-01')).to.deep.equal([c, b]);
    expect(await list('from=0001-01-01&to=9999-12-31')).to.deep.equal([d, c, b, a]);
    expect(
      await list(
        `status=open&kind=short&provider=provider_b&settlement=${other}&from=2026-03-01&to=2026-03-01`,
      ),
    ).to.deep.equal([b]);
    expect(
      await list('status=open&kind=short&provider=provider_b&from=2026-03-01&to=2026-03-01'),
    ).to.deep.equal([b]);
  });

  it('names every invalid parameter', async () => {
    for (const [query, fields] of [
      ['status=accepted', ['status']],
      ['kind=odd', ['kind']],
      ['provider=auto', ['provider']],
      ['settlement=txn_01h455vb4pex5vsknk084sn02q', ['settlement']],
      ['from=2026-02-29', ['from']],
      ['to=tomorrow', ['to']],
      ['from=2026-03-02&to=2026-03-01', ['from']],
      ['limit=0&cursor=', ['limit', 'cursor']],
      ['cursor=x', ['cursor']],
      ['channel=card', ['channel']],
    ] as const) {
      expectError(await stack.api.get(`/discrepancies?${query}`), 422, 'validation_failed', fields);
    }
  });

  it('finds nothing of another tenant, of the other mode, or by an id of another kind', async () => {
    const settlementId = await addSettlement(stack);
    const id = await addDiscrepancy(stack, { settlementId });
    const live = await addDiscrepancy(stack, { mode: 'live' });
    const other = await stack.newTenant({ connected: false });
    const { secret_key_test: key, secret_key_live: liveKey } = stack.tenant;
    for (const filter of ['', 'status=open', 'from=2026-01-01', `settlement=${settlementId}`]) {
      expect(await list(filter), filter).to.deep.equal([id]);
      expect(await list(filter, other.secret_key_test), filter).to.deep.equal([]);
      expect(await list(filter, liveKey), filter).to.deep.equal(
        filter.startsWith('settlement') ? [] : [live],
      );
    }
    for (const [name, caller] of [
      [id, other.secret_key_test],
      [id, liveKey],
      [live, key],
      [newId('dsc', new Date()), key],
      [id.replace('dsc_', 'rev_'), key],
      [`${id}%00`, key],
      ['%00', key],
    ] as const) {
      expectError(await stack.api.get(`/discrepancies/${name}`, { key: caller }), 404, 'not_found');
    }
  });

  it('is for secret keys and members of any role, not for public keys', async () => {
    const id = await addDiscrepancy(stack);
    for (const role of ['owner', 'developer', 'viewer'] as const) {
      const { token } = await memberOf(stack, stack.tenant, role);
      for (const path of ['', `/${id}`]) {
        expect(
          (await stack.api.get(`/discrepancies${path}`, { key: token })).status,
          `${role} ${path}`,
        ).to.equal(200);
      }
    }
    for (const path of ['', `/${id}`]) {
      expectError(
        await stack.api.get(`/discrepancies${path}`, { key: stack.tenant.public_key_test }),
        403,
        'forbidden',
      );
    }
  });
});
