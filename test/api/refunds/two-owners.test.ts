import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { expectRefusal } from '../../support/contract.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { addDispute } from '../../support/disputes.ts';
import { mailSettings, useMailbox } from '../../support/mailbox.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { type Refund, refundRow } from '../../support/refunds.ts';
import { addReview } from '../../support/reviews.ts';
import { useStack } from '../../support/stack.ts';

describe('A business that wants two people for a refund', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });
  let [ada, bola]: SignedIn[] = [];
  beforeEach(async () => {
    ada = await ownerWithPassword();
    bola = await ownerWithPassword();
  });

  const ownerWithPassword = async () => {
    const owner = await memberOf(stack, stack.tenant, 'owner');
    await stack.sql`update members set password_hash = 'none' where id = ${owner.memberId}`;
    return owner;
  };
  const settings = (body: object) => ada!.api.patch('/business', body);
  const twoAbove = (kobo: number | null) =>
    settings({ refunds_require_two_owners_above_kobo: kobo });
  const request = async (by = stack.api): Promise<Refund> => {
    const charge = await newCharge(stack, { amount_kobo: 50_000 });
    await putCharge(stack, charge, 'succeeded');
    const { reference } = charge;
    const { status, json } = await by.post<Refund>('/refunds', { reference, reason: 'Worn.' });
    expect(status).to.equal(202);
    return json;
  };
  const approve = ({ api }: SignedIn, { id }: Refund) => api.post(`/refunds/${id}/approve`);
  const actionsOf = async ({ id }: Refund) =>
    (await auditOf(stack, id)).map(({ action, actor }) => `${action} ${actor}`);

  it('lets no Owner approve what they asked for; they may reject it, and another may approve', async () => {
    expect((await settings({ refunds_require_second_person: true })).status).to.equal(200);
    const [one, other] = [await request(ada!.api), await request(ada!.api)];
    const refused = await expectRefusal(stack, () => approve(ada!, one), 'forbidden');
    expect(refused.json.error.message).to.match(/^You asked for this refund/);
    expect((await approve(bola!, one)).json.status).to.equal('approved');
    const rejected = await ada!.api.post(`/refunds/${other.id}/reject`, { reason: 'A mistake.' });
    expect(rejected.json.status).to.equal('rejected');
    expect((await approve(ada!, await request())).json.status, 'a key’s').to.equal('approved');
  });

  it('sends one above the amount after a second Owner’s approval', async () => {
    await twoAbove(49_999);
    const refund = await request();
    const first = await approve(ada!, refund);
    const { first_approved_at: at } = first.json;
    expect(first.status).to.equal(200);
    expect(first.json).to.deep.equal({ ...refund, first_approved_at: at });
    const row = await refundRow(stack, refund);
    expect(row).to.include({ status: 'requested', due_at: null, decided_by: null });
    expect(row.first_approved_at.toISOString()).to.equal(at);
    const again = await expectRefusal(stack, () => approve(ada!, refund), 'invalid_state');
    expect(again.json.error.message).to.match(/^You approved this refund.*₦499\.99/);
    const second = await approve(bola!, refund);
    expect(second.json).to.include({ status: 'approved', first_approved_at: at });
    const deciders = { first_approved_by: ada!.memberId, decided_by: bola!.memberId };
    expect(await refundRow(stack, refund)).to.include(deciders);
    expect((await actionsOf(refund)).slice(1)).to.deep.equal([
      `refund.first_approved ${ada!.memberId}`,
      `refund.approved ${bola!.memberId}`,
    ]);
    const { data } = (await stack.api.get(`/charges/${refund.reference}/timeline`)).json;
    const happened = data.map(({ what }: { what: string }) => what);
    expect(happened.slice(-2)).to.deep.equal(['refund.first_approved', 'refund.approved']);
  });

  it('counts what was approved of the same charge before, and not what was rejected', async () => {
    await twoAbove(30_000);
    const charge = await newCharge(stack, { amount_kobo: 50_000 });
    await putCharge(stack, charge, 'succeeded');
    const part = async (): Promise<Refund> => {
      const asked = { reference: charge.reference, amount_kobo: 15_001, reason: 'Worn.' };
      return (await stack.api.post<Refund>('/refunds', asked)).json;
    };
    const rejected = await part();
    await ada!.api.post(`/refunds/${rejected.id}/reject`, { reason: 'A mistake.' });
    const [one, other] = [await part(), await part()];
    expect((await approve(ada!, one)).json.status).to.equal('approved');
    expect((await approve(ada!, other)).json.status).to.equal('requested');
    expect((await approve(bola!, other)).json.status).to.equal('approved');
  });

  it('wants two Owners to return a payment in review, and counts what went back of the charge', async () => {
    const finance = await memberOf(stack, stack.tenant, 'finance');
    const put = (by: SignedIn, id: string, body = {}) =>
      by.api.post(`/reviews/${id}/return`, { note: 'Twice.', ...body });
    expect((await put(finance, await addReview(stack))).json.status, 'no rule').to.equal(
      'returned',
    );
    await twoAbove(120_000);
    const charge = await newCharge(stack);
    const [one, other] = [
      await addReview(stack, 'extra_capture', charge),
      await addReview(stack, 'extra_capture', charge),
    ];
    expect((await put(finance, one)).json.status, 'up to the amount').to.equal('returned');
    await expectRefusal(stack, () => put(finance, other), 'forbidden');
    const first = await put(ada!, other);
    expect(first.json).to.include({ status: 'open', decided_by: null });
    expect(first.json.first_approved_at).to.be.a('string');
    await expectRefusal(stack, () => put(ada!, other), 'invalid_state');
    const second = await put(bola!, other);
    expect(second.json).to.include({ status: 'returned', decided_by: bola!.memberId });
    expect((await actionsOf(second.json)).slice(-2)).to.deep.equal([
      `review.first_approved ${ada!.memberId}`,
      `review.returned ${bola!.memberId}`,
    ]);
    await settings({ refunds_require_second_person: true });
    const paidOutside = await put(finance, await addReview(stack), { paid_from: 'bank' });
    expect(paidOutside.json.status, 'it went back already').to.equal('returned');
    expect((await put(ada!, await addReview(stack))).json.status).to.equal('open');
  });

  it('wants two Owners to accept a dispute; evidence withdraws the first one’s word', async () => {
    const accept = ({ api }: SignedIn, id: string) =>
      api.post(`/disputes/${id}/accept`, { note: 'The parcel was lost.' });
    const statuses = async (id: string) =>
      (await stack.api.get(`/disputes/${id}/responses`)).json.data.map(
        ({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`,
      );
    await settings({ refunds_require_second_person: true });
    const [one, other] = [await addDispute(stack), await addDispute(stack)];
    expect((await accept(ada!, one)).json.status).to.equal('requested');
    await expectRefusal(stack, () => accept(ada!, one), 'invalid_state');
    expect((await accept(bola!, one)).json.status).to.equal('waiting');
    expect(await statuses(one)).to.deep.equal(['acceptance waiting']);
    const [row] = await stack.sql`select due_at from dispute_responses where dispute_id = ${one}`;
    expect(row!.due_at).to.not.equal(null);
    expect((await accept(ada!, other)).json.status).to.equal('requested');
    const proof = { details: 'It was delivered.' };
    expect((await stack.api.post(`/disputes/${other}/evidence`, proof)).json.status).to.equal(
      'waiting',
    );
    expect(await statuses(other)).to.deep.equal(['evidence waiting', 'acceptance refused']);
  });

  it('shows in the dashboard which money waits for a second Owner, and asks who may decide', async () => {
    await twoAbove(0);
    const [first, second, finance] = await Promise.all(
      (['owner', 'owner', 'finance'] as const).map((role) =>
        dashboardMember(stack, stack.tenant, role),
      ),
    );
    const review = await addReview(stack);
    const dispute = await addDispute(stack);
    for (const [view, path, button, done] of [
      ['/reviews', `/reviews/${review}/return`, 'Send the money back', 'The payment is returned.'],
      [
        `/disputes/${dispute}`,
        `/disputes/${dispute}/accept`,
        'Accept the dispute',
        'The answer is on its way',
      ],
    ] as const) {
      const decide = (by: DashboardBrowser) =>
        by.postAndFollow(path, { csrf: csrfOf(by), note: 'Paid twice.' });
      const offer = new RegExp(`${path}"[^<]*<button[^>]*>${button}`);
      const others = (await finance!.get(view)).html;
      expect(others).to.include('two Owners approve').and.not.match(offer);
      expect((await first!.get(view)).html).to.match(offer);
      expect((await first!.get(path)).html).to.include('Nothing is sent before a second Owner');
      expect((await decide(first!)).html).to.include('It waits for a second Owner.');
      const own = (await first!.get(view)).html;
      expect(own).to.include('You approved that this money goes back.').and.not.match(offer);
      expect((await decide(second!)).html, view).to.include(done);
    }
  });

  it('lets whoever may not send money of a review note in the dashboard that it went back', async () => {
    await twoAbove(0);
    const finance = await dashboardMember(stack, stack.tenant, 'finance');
    const path = `/reviews/${await addReview(stack)}/return`;
    expect((await finance.get('/reviews')).html)
      .to.include('It went back already')
      .and.include(path);
    const question = (await finance.get(path)).html;
    expect(question).to.include('from our bank account').and.not.include('Through the provider');
    const paid = { csrf: csrfOf(finance), note: 'Paid back.', paid_from: 'bank' };
    expect((await finance.postAndFollow(path, paid)).html).to.include('The payment is returned.');
  });

  it('counts approvals at one moment once for each Owner', async () => {
    await twoAbove(0);
    const [one, other] = [await request(), await request()];
    const by = async (owners: SignedIn[], refund: Refund) =>
      (await Promise.all(owners.map((owner) => approve(owner, refund))))
        .map(({ status, json }) => `${status} ${json.status ?? json.error.code}`)
        .sort();
    expect(await by([ada!, ada!], one)).to.deep.equal(['200 requested', '409 invalid_state']);
    expect(await by([ada!, bola!], other)).to.deep.equal(['200 approved', '200 requested']);
    expect(await by([bola!, bola!], one)).to.deep.equal(['200 approved', '409 invalid_state']);
    for (const refund of [one, other]) {
      const actions = (await actionsOf(refund)).map((entry) => entry.split(' ')[0]);
      const approvals = ['refund.first_approved', 'refund.approved'];
      expect(actions).to.have.members(['refund.requested', ...approvals]);
    }
  });

  it('lets either reject one that an Owner approved', async () => {
    await twoAbove(0);
    for (const owner of [ada!, bola!]) {
      const refund = await request();
      await approve(ada!, refund);
      const rejected = await owner.api.post(`/refunds/${refund.id}/reject`, { reason: 'Worn.' });
      expect(rejected.json.status).to.equal('rejected');
      await expectRefusal(stack, () => approve(bola!, refund), 'invalid_state');
    }
  });

  it('asks again where the first Owner is one no more', async () => {
    await twoAbove(0);
    const chi = await ownerWithPassword();
    for (const change of [{ role: 'finance' }, { status: 'disabled' }]) {
      const refund = await request();
      await approve(chi, refund);
      expect((await ada!.api.patch(`/members/${chi.memberId}`, change)).status).to.equal(200);
      expect((await approve(ada!, refund)).json.status).to.equal('requested');
      expect((await approve(bola!, refund)).json.status).to.equal('approved');
      await ada!.api.patch(`/members/${chi.memberId}`, { role: 'owner' });
    }
  });

  it('goes by the rule at each approval', async () => {
    await twoAbove(0);
    const [one, other] = [await request(), await request()];
    await approve(ada!, one);
    await twoAbove(null);
    expect((await approve(ada!, one)).json.status).to.equal('approved');
    await twoAbove(0);
    expect((await approve(ada!, other)).json.status).to.equal('requested');
  });
});

describe('Of two Owners, the other', () => {
  const stack = useStack({ newTenants: true, books: false, env: { mail: mailSettings } });
  const mailbox = useMailbox(stack);

  it('is mailed at once of a review and a dispute that the first lets go back', async () => {
    const first = await memberOf(stack, stack.tenant, 'owner');
    const second = await memberOf(stack, stack.tenant, 'owner');
    await stack.sql`update members set password_hash = 'none', name = 'Bola'
      where id = ${first.memberId}`;
    await stack.sql`update members set password_hash = 'none', email = 'ada@test.example'
      where id = ${second.memberId}`;
    await stack.sql`update tenants set refunds_require_two_owners_above_kobo = 0
      where id = ${stack.tenant.tenant_id}`;
    const arrived = async () => {
      await stack.settle();
      const mails = mailbox.mails.splice(0);
      expect(mails.map(({ to }) => to)).not.to.include(`${first.memberId}@test.example`);
      return mails.filter(({ to }) => to === 'ada@test.example');
    };
    const [review, dispute] = [await addReview(stack), await addDispute(stack)];
    const put = async ({ api }: SignedIn, path: string) =>
      (await api.post(path, { note: 'The parcel was lost.' })).json.status;
    expect(await put(first, `/reviews/${review}/return`)).to.equal('open');
    const [mail] = await arrived();
    expect(mail!.subject).to.equal('1 decision waits for approval at Test Store (test mode)');
    const said = mail!.text.replaceAll(/\s+/g, ' ');
    expect(said).to.match(/of a review; approved by Bola \(.*\), waits for a second Owner/);
    expect(said).to.include(`/dashboard/reviews/${review}?mode=test`);
    expect(await put(first, `/disputes/${dispute}/accept`)).to.equal('requested');
    const [both] = await arrived();
    expect(both!.subject).to.equal('2 decisions wait for approval at Test Store (test mode)');
    expect(both!.text).to.include(`/dashboard/disputes/${dispute}?mode=test`);
    expect(await put(second, `/reviews/${review}/return`)).to.equal('returned');
    expect(await put(second, `/disputes/${dispute}/accept`)).to.equal('waiting');
    await stack.pass(DAY);
    expect(await arrived(), 'decided').to.deep.equal([]);
  });
});
