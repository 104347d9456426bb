import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

describe('Reading a charge', () => {
  const stack = useStack({ workers: false });
  afterEach(() => stack.control.faults());

  const read = (reference: string) => stack.api.get(`/charges/${reference}`);
  const verifies = async () => (await stack.control.stats()).paystack!.verifies;
  const create = async (key = stack.tenant.secret_key_test, more: object = {}) => {
    const body = { amount_kobo: 50_000, email: 'ada@example.com', ...more };
    return (await stack.api.post('/charges', body, { key })).json;
  };

  /** A charge that is open at the provider. No worker runs: only reads verify it. */
  async function openCharge(key = stack.tenant.secret_key_test, more = {}): Promise<string> {
    const { reference } = await create(key, more);
    await openAtProvider(stack, reference);
    return reference;
  }

  it('answers the checkout as it was created, without a call, while nothing was sent to a provider', async () => {
    const created = await create();
    const before = await verifies();
    const answer = await writingNothing(stack, () => read(created.reference));
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal(created);
    expect(await verifies()).to.equal(before);
  });

  it('names the reference to use when a charge is read by another id', async () => {
    const { id, reference } = await create();
    for (const name of [id, id.replace('ct_', 'txn_'), reference.toLowerCase()]) {
      const refused = await read(name);
      expectRefused(refused, 'not_found');
      const { message } = refused.json.error;
      expect(message, name).to.include('by its service reference, like SV-100001');
    }
    const { message } = (await read('SV-1')).json.error;
    expect(message).to.include('A live reference read with a test key is not found.');
  });

  it('answers 404 for a malformed reference, as its timeline and its transaction do', async () => {
    const names = ['SV-999999999', 'SV-0', 'SV-', 'SV-1e3', 'SV--1', 'SV-0100001'];
    names.push('SV-9999999999999999999', 'sv-100001', 'order-1', '%00', '%20');
    const paths = (name: string) => [
      `/charges/${name}`,
      `/charges/${name}/timeline`,
      `/transactions/${name}`,
    ];
    await writingNothing(stack, async () => {
      for (const path of names.flatMap(paths))
        expectRefused(await stack.api.get(path), 'not_found');
    });
  });

  it('finds a payment of which no notification arrived', async () => {
    const reference = await openCharge();
    await stack.control.pay(reference, { notify: false, channel: 'bank_transfer' });
    const { json } = await read(reference);
    expect(json.status).to.equal('completed');
    const paid = { status: 'succeeded', channel: 'bank_transfer', amount_kobo: 50_000 };
    expect(json.transaction).to.include({ object: 'transaction', ...paid });
    expect(json.transaction.id.slice(4)).to.equal(json.id.slice(3));
  });

  const unlikely: [title: string, provider: string, change: (id: string) => Promise<unknown>][] = [
    [
      'whose link has ended',
      'provider_c',
      (id) =>
        stack.sql`update attempts set status = 'expired', due_at = null where charge_id = ${id}`,
    ],
    [
      'whose creation was never confirmed',
      'provider_a',
      (id) => stack.sql`update attempts set status = 'unconfirmed' where charge_id = ${id}`,
    ],
  ];
  for (const [title, provider, change] of unlikely)
    it(`finds a payment ${title}`, async () => {
      const reference = await openCharge(undefined, { provider });
      await change((await stored(stack, { reference })).id);
      await stack.control.pay(reference, { notify: false });
      expect((await read(reference)).json.transaction).to.include({ status: 'succeeded' });
    });

  it('verifies one charge at most once a second, however often it is read', async () => {
    const reference = await openCharge();
    const before = await verifies();
    await Promise.all(Array.from({ length: 10 }, () => read(reference)));
    for (let reads = 0; reads < 3; reads++) await read(reference);
    expect(await verifies()).to.equal(before + 1);
    stack.clock.advance(SECOND);
    await read(reference);
    expect(await verifies()).to.equal(before + 2);
    await read(await openCharge());
    expect(await verifies(), 'each by itself').to.equal(before + 3);
  });

  it('waits 2.5 seconds for a provider that hangs, and answers the stored state', async () => {
    const reference = await openCharge();
    await stack.control.pay(reference, { notify: false });
    await stack.control.faults({ latency_ms: 60_000 });
    const startedMs = performance.now();
    const { status, json } = await read(reference);
    expect(performance.now() - startedMs).to.be.within(2_400, 7_000);
    expect([status, json.status, json.transaction]).to.deep.equal([200, 'open', null]);
  });

  for (const [title, faults] of [
    ['fails', { error_rate: 1 }],
    ['says we ask too often', { rate_limit_rate: 1 }],
  ] as const) {
    it(`answers the stored state when the provider ${title}, and the payment once it recovered`, async () => {
      const reference = await openCharge();
      await stack.control.pay(reference, { notify: false });
      await stack.control.faults(faults);
      expect((await writingNothing(stack, () => read(reference))).json.status).to.equal('open');
      await stack.control.faults();
      stack.clock.advance(SECOND);
      expect((await read(reference)).json.status).to.equal('completed');
    });
  }

  it('answers the stored state when the connection’s credentials cannot be read', async () => {
    const { tenant_id: tenantId, secret_key_test: key } = await stack.newTenant();
    const reference = await openCharge(key);
    await stack.sql`update connections set credentials = 'broken' where tenant_id = ${tenantId}`;
    const readOwn = () => stack.api.get(`/charges/${reference}`, { key });
    const answer = await writingNothing(stack, readOwn);
    expect([answer.status, answer.json.status]).to.deep.equal([200, 'open']);
  });

  describe('by its merchant reference', () => {
    const find = (reference: string, key = stack.tenant.secret_key_test) =>
      stack.api.get(`/charges?merchant_reference=${encodeURIComponent(reference)}`, { key });
    const least = { amount_kobo: 10_000, email: 'ada@example.com' };
    async function given(
      reference: string,
      columns: { status?: string; created_by?: string } = {},
    ) {
      const { json } = await stack.api.post('/charges', { ...least, reference });
      const { status = 'initiated', created_by: createdBy = 'secret' } = columns;
      await stack.sql`update charges set status = ${status}, created_by = ${createdBy}
      where number = ${json.reference.slice(3)}`;
      return json.reference;
    }

    it('answers the charge as GET /charges/{reference} does', async () => {
      const created = await stack.api.post('/charges', { ...least, reference: 'order 1 & ä/?#' });
      const found = await find('order 1 & ä/?#');
      expect(found.status).to.equal(200);
      expect(found.json).to.deep.equal(created.json);
      expect(found.text).to.equal((await stack.api.get(`/charges/${created.json.reference}`)).text);
    });

    type Given = { status?: string; created_by?: string };
    const [secret, open, link] = [{}, { created_by: 'public' }, { created_by: 'link' }] as const;
    const preferred: [title: string, best: Given, ...others: Given[]][] = [
      ...['succeeded', 'settled', 'refunded', 'disputed'].map(
        (status): [string, Given, ...Given[]] => [
          ...([`a paid charge, though it is older: ${status}`, { status, ...open }] as const),
          ...[{ status: 'pending' }, { status: 'failed' }],
        ],
      ),
      [
        'the newest made by a secret key over newer ones by a public key or link',
        secret,
        open,
        link,
      ],
      ['one made by a member likewise', { created_by: 'member' }, open, link],
      ['the newest of those made by public keys and links', link],
    ];
    for (const [title, best, ...others] of preferred)
      it(`prefers ${title}`, async () => {
        await given(title, best.created_by === 'link' ? open : secret);
        const expected = await given(title, best);
        for (const other of others) await given(title, other);
        expect((await find(title)).json.reference).to.equal(expected);
      });

    it('answers 404 for an unknown merchant reference', async () => {
      await given('Known');
      for (const reference of ['unknown', 'known', 'Known ', 'Know%', 'SV-100001'])
        await expectRefusal(stack, () => find(reference), 'not_found');
    });
  });
});
