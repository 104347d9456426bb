import type { Checkout } from '../../support/charges.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { rawRequest } from '../../support/raw-http.ts';
import type { Stack } from '../../support/stack.ts';

export const order = {
  amount_kobo: 1_250_050,
  email: 'ada@example.com',
  name: 'Ada Obi',
  phone: '08031234567',
  description: 'Two bags of rice',
};

export function payPagesOf(stack: Stack) {
  const create = async (more: object = {}): Promise<Checkout> =>
    (await stack.api.post('/charges', { ...order, ...more })).json;
  return {
    create,
    async createOpen(more: object = {}): Promise<Checkout> {
      const checkout = await create(more);
      await openAtProvider(stack, checkout.reference);
      return checkout;
    },
    payPage: ({ id }: { id: string }, query = '') =>
      rawRequest(stack, { path: `/pay/${id}${query}` }),
    retry: ({ id }: { id: string }) => rawRequest(stack, { method: 'POST', path: `/pay/${id}` }),
    status: async ({ id }: { id: string }, query = '') =>
      (await rawRequest(stack, { path: `/pay/${id}/status${query}` })).json,
  };
}

export const offersRetry = (html: string) => html.includes('<form method="post"');

export function linkOf(html: string): string | undefined {
  return /<a class="button[^"]*" href="([^"]*)">/.exec(html)?.[1]?.replaceAll('&amp;', '&');
}
