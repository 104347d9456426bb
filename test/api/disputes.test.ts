import { expect } from 'chai';
import { ERASED_EMAIL } from '../../domain/payments/entities/charge.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { expectRefused } from '../support/contract.ts';
import { csvRows } from '../support/csv-rows.ts';
import { csrfOf, dashboardMember } from '../support/dashboard.ts';
import { addDispute } from '../support/disputes.ts';
import { unescaped } from '../support/html.ts';
import { useStack } from '../support/stack.ts';

describe('Disputes', () => {
  const stack = useStack();
  let id: string;
  before(async () => {
    const charge = await stored(stack, await paidCharge(stack));
    id = await addDispute(stack, charge.capture_id);
  });

  it('are listed and read with their reason and the deadline for an answer', async () => {
    const read = (await stack.api.get(`/disputes/${id}`)).json;
    expect(read).to.include({
      ...{ object: 'dispute', id, status: 'open', amount_kobo: 100_000 },
      ...{ reason: 'Debit without value', decided_at: null, evidence: 'by_api' },
    });
    expect(Date.parse(read.respond_by)).to.be.above(stack.clock().getTime());
    const listed = async (filter: string) =>
      (await stack.api.get(`/disputes?${filter}`)).json.data.map((one: { id: string }) => one.id);
    for (const filter of ['status=open', `reference=${read.reference}`])
      expect(await listed(filter)).to.deep.equal([id]);
    const another = await paidCharge(stack);
    const beyond = 'SV-9999999999999999';
    for (const filter of ['status=won', `reference=${another.reference}`, `reference=${beyond}`])
      expect(await listed(filter)).to.deep.equal([]);
  });

  it('are named with their deadline where people look first, until they are answered', async () => {
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const named = async () => unescaped((await viewer.get('/')).html);
    const sentence = 'Answer the dispute about ₦1,000.00 of SV-';
    expect(await named())
      .to.include(sentence)
      .and.include(`/disputes/${id}"`);
    await stack.api.post(`/disputes/${id}/evidence`, { details: 'Two tickets.' });
    expect(await named()).not.to.include(sentence);
    await stack.sql`update dispute_responses set status = 'refused'`;
    expect(await named()).to.include(sentence);
    await stack.sql`delete from dispute_responses`;
  });

  it('are answered once, and then no more', async () => {
    const file = Buffer.from(`%PDF-1.7${'x'.repeat(200_000)}`).toString('base64');
    const evidence = { details: 'Two tickets.', delivery_date: '2026-03-01', file };
    for (const wrong of ['not base64', Buffer.from('<html>').toString('base64')]) {
      const refused = await stack.api.post(`/disputes/${id}/evidence`, {
        ...evidence,
        file: wrong,
      });
      expectRefused(refused, 'validation_failed', ['file']);
    }
    const { status, json } = await stack.api.post(`/disputes/${id}/evidence`, evidence);
    expect(status).to.equal(202);
    expect(json).to.include({ object: 'dispute_response', kind: 'evidence', status: 'waiting' });
    expect(json.file_type).to.equal('pdf');
    expectRefused(await stack.api.post(`/disputes/${id}/evidence`, evidence), 'invalid_state');
    const { data } = (await stack.api.get(`/disputes/${id}/responses`)).json;
    expect(data).to.deep.equal([json]);
    const paged = await stack.api.get(`/disputes/${id}/responses?limit=1`);
    expect(paged.json).to.have.keys('data', 'tenant_id');
    const [row] =
      await stack.sql`select content, file from dispute_responses where id = ${json.id}`;
    expect(JSON.stringify(row)).not.to.match(/tickets|eHh4eHh4eHh4/);
  });

  it('are answered on their page, which then shows what was said, by whom, and why it was refused', async () => {
    await stack.sql`delete from dispute_responses`;
    const support = await dashboardMember(stack, stack.tenant, 'support');
    const form = await support.get(`/disputes/${id}`);
    expect(form.html).to.include('Send the evidence').and.not.include('Accept the dispute');
    const send = (fields: Record<string, string>, file = '') => {
      const body = new FormData();
      const all = { csrf: csrfOf(support), ...fields };
      for (const [name, value] of Object.entries(all)) body.set(name, value);
      body.set('file', new Blob([file]), file === '' ? '' : 'note.html');
      return support.upload(`/disputes/${id}/evidence`, body);
    };
    const empty = await send({ details: ' ' });
    expect(empty.status).to.equal(422);
    expect(empty.html).to.include('What was sold, and how the customer got it</a>');
    const given = { details: 'Two tickets.', delivery_address: '3a Ladoke Street' };
    const hostile = await send(given, '<script>alert(1)</script>');
    expect(hostile.status).to.equal(422);
    expect(hostile.html).to.include('must be a PDF, a JPEG or a PNG picture');
    const large = await send(given, `%PDF-1.7 ${'x'.repeat(2 * 1024 * 1024)}`);
    expect(large.status).to.equal(413);
    expect(large.html).to.include('The file is larger than 2 MB.');
    expect(large.html, 'what was typed').to.include('>Two tickets.</textarea>');
    const { location } = await send(given, '%PDF-1.7 a delivery note');
    expect(location).to.equal(`/disputes/${id}`);
    await stack.sql`update dispute_responses set status = 'refused',
      failure_message = 'File is too large'`;
    const { html } = await support.get(`/disputes/${id}`);
    for (const said of ['“Two tickets.”', '3a Ladoke Street', 'PDF', support.email])
      expect(unescaped(html)).to.include(said);
    expect(html).to.include('Send the evidence').and.include('File is too large');
    expect((await support.get('/disputes')).html).to.match(/Evidence <span[^>]*>Refused</);
    const [row] = csvRows((await support.get('/disputes.csv')).html);
    expect(row).to.include({ answer: 'evidence', answer_status: 'refused' });
  });

  it('propose no address for a payer who was erased', async () => {
    const support = await dashboardMember(stack, stack.tenant, 'support');
    const proposed = async () =>
      /id="customer_email"[^>]* value="([^"]*)"/.exec(
        (await support.get(`/disputes/${id}`)).html,
      )?.[1];
    expect(await proposed()).to.include('@');
    await stack.sql`update charges set email = ${ERASED_EMAIL} where id =
      (select charge_id from disputes where id = ${id})`;
    expect(await proposed()).to.equal('');
  });

  it('say that they are answered at the provider where it takes nothing by an API', async () => {
    await stack.sql`update disputes set provider_dispute_id = null where id = ${id}`;
    expect((await stack.api.get(`/disputes/${id}`)).json.evidence).to.equal('at_provider');
    await stack.sql`delete from dispute_responses`;
    const refused = await stack.api.post(`/disputes/${id}/evidence`, { details: 'Two tickets.' });
    expectRefused(refused, 'invalid_state');
    expect(refused.json.error.message).to.include('in the provider’s dashboard');
  });

  it('have a page each in the dashboard, which says what to do at the provider', async () => {
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    expect((await viewer.get('/disputes?status=open')).html).to.include(`/disputes/${id}"`);
    expect((await viewer.get('/disputes?status=lost')).html).not.to.include(id);
    const { html } = await viewer.get(`/disputes/${id}`);
    for (const said of ['₦1,000.00', 'Debit without value', 'Sign in to the Paystack dashboard'])
      expect(html).to.include(said);
  });
});
