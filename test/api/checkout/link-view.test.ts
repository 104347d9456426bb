import { expect } from 'chai';
import { disconnectAll } from '../../support/connect.ts';
import {
  expectPage,
  newLink,
  openedBy,
  payAddress,
  submit,
  visit,
} from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const fieldsOf = (html: string) =>
  [...html.matchAll(/<input id="(\w+)" name="(\w+)"/g)].map(([, , name]) => name);

describe('The page of a payment link', () => {
  const stack = useStack({ workers: false });

  const setLink = ({ id }: { id: string }, column: string, value: unknown) =>
    stack.context.db.query(`update payment_links set ${column} = $2 where id = $1`, [id, value]);

  describe('shows', () => {
    it('the merchant, amount and description, and asks for the payer; viewing writes nothing', async () => {
      const link = await newLink(stack);
      const page = await writingNothing(stack, () => visit(stack, link));
      expectPage(page, 200, 'Your details');
      const { text } = page;
      for (const shown of ['Test Store', 'Two bags of rice', 'Test mode', 'Pay ₦12,500.50'])
        expect(text).to.include(shown);
      expect(fieldsOf(text)).to.deep.equal(['email', 'name', 'phone']);
      expect(text).to.include('<form method="post">');
    });

    it('no field that the link fills in already', async () => {
      const link = await newLink(stack, { customer: { name: 'Ada Obi', phone: '08031234567' } });
      const { text } = await visit(stack, link);
      expect(fieldsOf(text)).to.deep.equal(['email']);
      const named = await newLink(stack, { customer: { name: 'Ada Obi' } });
      expect(fieldsOf((await visit(stack, named)).text)).to.deep.equal(['email', 'phone']);
      for (const hidden of ['Ada Obi', '+234', stack.tenant.tenant_id, link.id])
        expect(text).not.to.include(hidden);
    });

    it('escaped texts of merchants and payers', async () => {
      const hostile = `</p><script>alert('x')</script>"'&<img src=x onerror=alert(1)>`;
      const tenant = await stack.newTenant();
      await stack.sql`update tenants set name = ${hostile} where id = ${tenant.tenant_id}`;
      const link = await newLink(stack, { description: hostile }, tenant.secret_key_test);
      const typed = { email: `"><script>alert(1)</script>`, name: hostile };
      for (const { text } of [await visit(stack, link), await submit(stack, link, typed)]) {
        expect(text).not.to.match(/<script|<img|"'&<|="><|onerror=alert\(1\)>/);
        expect(text).to.include('&lt;script&gt;');
      }
    });
  });

  describe('of a link that cannot be paid states why, and writes nothing:', () => {
    const unpayable = async (link: { id: string }, status: number, title: string) => {
      for (const look of [() => visit(stack, link), () => submit(stack, link)]) {
        const page = await writingNothing(stack, look);
        expectPage(page, status, title);
        expect(page.text).not.to.match(/<form|<input/);
      }
    };

    it('paid', async () => {
      const link = await newLink(stack);
      await setLink(link, 'status', 'paid');
      await unpayable(link, 200, 'This has been paid');
    });

    it('disabled, even while a charge is open', async () => {
      const link = await newLink(stack);
      await openedBy(stack, link);
      await stack.api.post(`/payment-links/${link.id}/disable`);
      await unpayable(link, 410, 'This payment link is no longer in use');
    });

    it('expired, from its end on, before and after the row is updated', async () => {
      const link = await newLink(stack, { expires_in_days: 1 });
      await setLink(link, 'expires_at', new Date(stack.clock().getTime()));
      await unpayable(link, 410, 'This payment link has expired');
      await setLink(link, 'status', 'expired');
      await unpayable(link, 410, 'This payment link has expired');
    });

    it('its provider is disconnected, except for a payer who has begun to pay', async () => {
      const tenant = await stack.newTenant();
      const [link, begun] = [
        await newLink(stack, {}, tenant.secret_key_test),
        await newLink(stack, {}, tenant.secret_key_test),
      ];
      const charge = await openedBy(stack, begun);
      await disconnectAll(stack, tenant.tenant_id);
      await unpayable(link, 409, 'No payment can be taken at the moment');
      expect((await visit(stack, begun)).headers.get('location')).to.equal(
        payAddress(stack, charge),
      );
    });
  });
});
