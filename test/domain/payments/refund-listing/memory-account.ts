import type { Provider } from '../../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import type { AccountRefunds, ProviderRefund } from '../../../../domain/providers/port/refund.ts';
import type { Ledger } from '../../ledger.ts';

export interface AccountRefund {
  id: string;
  paymentId: string;
  refundId: string | null;
  state: ProviderRefund['state'];
  createdAt: Date;
}

export interface Listing {
  order: 'newest first' | 'oldest first' | 'by digits';
  /** What it states: the number of all refunds and pages, of pages only, of a page's, nothing. */
  states: 'all' | 'pages' | 'page' | 'nothing';
}

export interface MemoryAccount {
  provider: Provider;
  refunds: AccountRefund[];
  calls: string[];
  listing: Listing;
  beforePage: (page: number) => void | Promise<void>;
  /** Adds refunds, one by one, of payments of which nobody knows unless `paymentId` names one. */
  add(count: number, fields?: Partial<AccountRefund>): void;
}

const PAGE_SIZE = 20;

export function openMemoryAccount({ clock }: Pick<Ledger, 'clock'>): MemoryAccount {
  const account: MemoryAccount = {
    refunds: [],
    calls: [],
    listing: { order: 'newest first', states: 'all' },
    beforePage: () => {},
    add(count, fields = {}) {
      for (let added = 0; added < count; added++) {
        const id = String(1_000 + account.refunds.length);
        const usual = { id, paymentId: `of ${id}`, refundId: null, state: 'completed' as const };
        account.refunds.push({ ...usual, createdAt: clock(), ...fields });
      }
    },
    provider: {
      listRefunds: null,
      async listAccountRefunds({ from, page }) {
        await account.beforePage(page);
        account.calls.push(`page ${page}`);
        return readPage(account, from, page);
      },
      async findRefund({ providerRefundId }) {
        account.calls.push(`refund ${providerRefundId}`);
        const found = account.refunds.find(({ id }) => id === providerRefundId);
        return found && stated(found);
      },
    } satisfies Partial<Provider> as unknown as Provider,
  };
  return account;
}

function readPage({ refunds, listing }: MemoryAccount, from: Date, page: number): AccountRefunds {
  const listed = refunds.filter(({ createdAt }) => createdAt >= from);
  if (listing.order === 'newest first') listed.reverse();
  if (listing.order === 'by digits')
    listed.sort((one, other) => (mixed(one) < mixed(other) ? -1 : 1));
  const rows = listed.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const { states } = listing;
  return {
    rows: rows.map(({ id, paymentId, refundId, createdAt }) => ({
      ...{ providerRefundId: id, providerPaymentId: paymentId, refundId, createdAt },
    })),
    total: states === 'all' ? listed.length : states === 'page' ? rows.length : undefined,
    hasMore: states === 'nothing' ? undefined : page * PAGE_SIZE < listed.length,
  };
}

function mixed({ id }: AccountRefund): string {
  return [...id].reverse().join('');
}

/** As it is found by its id: the record itself does not name our id. */
function stated({ id, state }: AccountRefund): ProviderRefund {
  return {
    ...{ providerRefundId: id, refundId: null, amountKobo: 10_000, state, status: state },
    ...{ message: null, completedAt: null, raw: `"${id} ${state}"` },
  };
}

export const unanswered = () => {
  throw new ProviderError('unknown', 'list refunds', 'no answer');
};
