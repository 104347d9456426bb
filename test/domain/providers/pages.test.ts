import { expect } from 'chai';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import { errorOf, type Reply } from './calls.ts';
import { options } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';

interface PagedList {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  page(account: Provider, cursor: string | null): Promise<{ next: string | null }>;
  payments(account: Provider): Promise<{ rows: unknown[] }>;
  row(id: number): Record<string, unknown>;
  payment: Record<string, unknown>;
  mark(id: number): string;
  /** A page that states whether more follow; undefined: it does not state it. */
  reply(rows: unknown, hasMore?: boolean): Reply;
  second: string;
}

const from = new Date('2026-03-02T00:00:00Z');
const span = { from, to: new Date('2026-03-03T00:00:00Z') };
const settlements = (account: Provider, cursor: string | null) =>
  account.listSettlements({ ...span, cursor }, options);
const payments = (account: Provider) => account.listPayments({ ...span, cursor: null }, options);

const lists: PagedList[] = [
  {
    provider: 'Paystack',
    accountAt: paystack.accountAt,
    ...{ page: settlements, payments, payment: paystack.transaction() },
    row: (id) => ({ id }),
    mark: String,
    reply: (data, hasMore) => {
      const pageCount = hasMore === undefined ? '9' : hasMore ? 3 : 2;
      return [200, { ...paystack.good(data), meta: { pageCount } }];
    },
    second: 'perPage=100&page=2',
  },
  {
    provider: 'Flutterwave',
    accountAt: flutterwave.accountAt,
    ...{ page: settlements, payments, payment: flutterwave.row() },
    row: (id) => ({ id }),
    mark: String,
    reply: (data, hasMore) => {
      const total_pages = hasMore === undefined ? 'some' : hasMore ? '3' : 2;
      return [200, { ...flutterwave.good(data), meta: { page_info: { total_pages } } }];
    },
    second: 'page=2',
  },
  {
    provider: 'Monnify',
    accountAt: monnify.accountAt,
    page: (account, cursor) => account.listLines({ providerSettlementId: 'STL', cursor }, options),
    ...{ payments, payment: monnify.transaction() },
    row: (id) => monnify.transaction({ transactionReference: `MNFY|${id}` }),
    mark: (id) => `MNFY|${id}`,
    reply: (content, hasMore) => [
      200,
      monnify.springPage(content, hasMore === undefined ? 'no' : !hasMore),
    ],
    second: 'page=2&size=100',
  },
];

for (const { provider, accountAt, page, row, mark, reply, second, ...list } of lists) {
  describe(`A page of a list of ${provider}`, () => {
    it('is asked for by its number, and says whether more follow', async () => {
      const nextOf = async (hasMore: boolean | undefined, id: number) => {
        const { account, requests } = accountAt(reply([row(id), row(8)], hasMore));
        const { next } = await page(account, `2:${mark(7)}`);
        expect(requests[0]).to.match(new RegExp(`${second}$`));
        return next;
      };
      expect(await nextOf(true, 1)).to.equal(`3:${mark(1)}`);
      expect(await nextOf(false, 1)).to.equal(null);
      expect(await nextOf(undefined, 1), 'not stated').to.equal(`3:${mark(1)}`);
      expect(await nextOf(undefined, 7), 'nothing new').to.equal(null);
    });

    it('is never read in part, unless it only tells whom to ask', async () => {
      const ask = (given: Reply) => page(accountAt(given).account, null);
      for (const rows of [null, {}, 'none', [7], [null], [[]], [row(1), 'x'], undefined]) {
        expect((await errorOf(ask(reply(rows)))).kind).to.equal('unknown');
        const told = list.payments(accountAt(reply(rows)).account);
        if (!Array.isArray(rows)) expect((await errorOf(told)).kind).to.equal('unknown');
        else await told;
      }
      const odd = [null, 7, 'x', [], {}];
      expect(
        (await list.payments(accountAt(reply([...odd, list.payment])).account)).rows,
      ).to.have.length(1);
    });
  });
}
