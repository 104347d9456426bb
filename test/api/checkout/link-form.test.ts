import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import {
  chargesOf,
  expectPage,
  newLink,
  openedBy,
  payAddress,
  submit,
  visit,
} from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const errorOf = (html: string, field: string) =>
  new RegExp(`id="${field}-error">([^<]*)<`).exec(html)?.[1];

describe('The form of a payment link', () => {
  const stack = useStack({ workers: false });

  describe('is accepted', () => {
    it('and leads to the checkout of a charge with the fields of link and payer', async () => {
      const wanted = { customer: { phone: '08031234567' }, provider: 'provider_a' };
      const link = await newLink(stack, wanted);
      const answer = await submit(stack, link, { email: ' ada@example.com ', name: ' Ada Obi ' });
      const [charge, ...others] = await chargesOf(stack, link);
      expect(others).to.deep.equal([]);
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([
        ...[303, payAddress(stack, charge!)],
      ]);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(charge).to.include({
        ...{ tenant_id: stack.tenant.tenant_id, mode: 'test', status: 'initiated' },
        ...{ amount_kobo: 1_250_050, currency: 'NGN', description: 'Two bags of rice' },
        ...{ email: 'ada@example.com', name: 'Ada Obi', phone: '+2348031234567' },
        ...{ created_by: 'link', provider_wanted: 'provider_a', merchant_reference: null },
        return_url: null,
      });
      expect((await stored(stack, charge!)).attempts).to.have.length(1);
      const { data } = (await stack.api.get('/payment-links')).json;
      expect(data[0]).to.include({ status: 'active', transaction_id: null });
    });

    it('with the link’s own name, whatever name is sent', async () => {
      const link = await newLink(stack, { customer: { name: 'Ada Obi' } });
      const charge = await openedBy(stack, link, { email: 'b@example.com', name: 'Somebody' });
      expect(charge).to.include({ name: 'Ada Obi', email: 'b@example.com', phone: null });
    });

    it('with the phone number as the API stores it, or the link’s own', async () => {
      const payer = { email: 'b@example.com', phone: ' 0803 123-4567 ' };
      expect(await openedBy(stack, await newLink(stack), payer)).to.include({
        phone: '+2348031234567',
      });
      const link = await newLink(stack, { customer: { phone: '+2348039999999' } });
      expect(await openedBy(stack, link, payer)).to.include({ phone: '+2348039999999' });
    });

    it('once; later visitors are redirected to the same checkout', async () => {
      const link = await newLink(stack);
      const charge = await openedBy(stack, link, { email: 'first@example.com' });
      const answers = await writingNothing(stack, async () => [
        await visit(stack, link),
        await submit(stack, link, { email: 'second@example.com' }),
        await submit(stack, link, { email: 'nonsense' }),
      ]);
      for (const { status, headers } of answers)
        expect([status, headers.get('location')]).to.deep.equal([303, payAddress(stack, charge)]);
      expect((await chargesOf(stack, link))[0]).to.include({ email: 'first@example.com' });
    });

    it('from ten visitors at once as one charge', async () => {
      const link = await newLink(stack);
      const emails = Array.from({ length: 10 }, (_, index) => `payer${index}@example.com`);
      const answers = await Promise.all(emails.map((email) => submit(stack, link, { email })));
      const charges = await chargesOf(stack, link);
      expect(charges).to.have.length(1);
      const address = payAddress(stack, charges[0]!);
      for (const { status, headers } of answers)
        expect([status, headers.get('location')]).to.deep.equal([303, address]);
    });

    it('without an address from the Host header', async () => {
      const link = await newLink(stack);
      const charge = await openedBy(stack, link);
      const { headers } = await rawRequest(stack, {
        path: `/l/${link.id}`,
        headers: { host: 'other.localhost', 'x-forwarded-host': 'x.example' },
      });
      expect(headers.get('location')).to.equal(payAddress(stack, charge));
    });
  });

  describe('shows the error beside the field and keeps the input:', () => {
    const ada = { email: 'ada@example.com' };
    const name = 'Ada Obi';
    type Wrong = [title: string, fields: Record<string, string>, field: string, words: RegExp];
    const wrong: Wrong[] = [
      ['no e-mail address', { name }, 'email', /^Enter your e-mail address\.$/],
      ['blanks', { email: '   ', name }, 'email', /^Enter your e-mail address\.$/],
      ['no end', { email: 'ada@example', name }, 'email', /like name@example\.com/],
      ['too long', { email: `${'a'.repeat(250)}@b.ng`, name }, 'email', /like name@example\.com/],
      ['a NUL', { email: 'a\0@example.com', name }, 'email', /like name@example\.com/],
      ['a long name', { ...ada, name: 'a'.repeat(101) }, 'name', /at most 100 characters/],
      ['letters', { ...ada, phone: 'home' }, 'phone', /like 0803 123 4567, or leave it empty\.$/],
      ['a short number', { ...ada, phone: '080312' }, 'phone', /like 0803 123 4567/],
      ['a name with a NUL', { ...ada, name: 'Ada\0' }, 'name', /at most 100/],
    ];
    it('one field', async () => {
      const link = await newLink(stack);
      await writingNothing(stack, async () => {
        for (const [title, fields, field, words] of wrong) {
          const { status, text } = await submit(stack, link, fields);
          expect(status, title).to.equal(422);
          expect(errorOf(text, field), title).to.match(words);
          const marked = /aria-invalid="true" aria-describedby="(\w+)-error" autofocus/.exec(text);
          expect(marked?.[1], title).to.equal(field);
          for (const value of Object.values(fields))
            expect(text, title).to.include(`value="${value.trim()}"`);
          expect(text).to.include('<title>Please check: Pay Test Store</title>');
        }
      });
    });
  });

  describe('answers other bodies', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const json = { 'content-type': 'application/json' };
    const foreign = { 'content-type': `${form['content-type']}; charset=klingon` };
    const many = Array.from({ length: 1_000 }, (_, index) => `f${index}=1`).join('&');
    const cases: [title: string, headers: object, body: string | undefined, status: number][] = [
      ['nothing', {}, undefined, 422],
      ['JSON', json, '{"email":"ada@example.com"}', 422],
      ['broken percent signs', form, 'email=%zz&%&=&&', 422],
      ['bytes that are no UTF-8', form, 'email=%ff%fe', 422],
      ['a thousand fields', form, many, 422],
      ['more than 10 kB', form, `email=${'a'.repeat(11_000)}`, 413],
      ['a charset nobody knows', foreign, 'email=a', 415],
      ['an encoding nobody knows', { ...form, 'content-encoding': 'klingon' }, 'email=a', 415],
    ];
    it('with an error page, and opens no charge', async () => {
      const { id } = await newLink(stack);
      await writingNothing(stack, async () => {
        for (const [title, headers, body, expected] of cases) {
          const sent = { headers: { ...headers }, ...(body === undefined ? {} : { body }) };
          const page = await rawRequest(stack, { method: 'POST', path: `/l/${id}`, ...sent });
          const heading = expected === 422 ? 'Your details' : 'This form could not be read';
          expectPage(page, expected, heading, title);
        }
      });
    });

    it('with the first value of a repeated field', async () => {
      const { id } = await newLink(stack);
      const body = 'email=first%40example.com&email=second%40example.com';
      const request = { method: 'POST', path: `/l/${id}`, headers: form, body };
      expect((await rawRequest(stack, request)).status).to.equal(303);
      expect((await chargesOf(stack, { id }))[0]).to.include({ email: 'first@example.com' });
    });
  });
});
