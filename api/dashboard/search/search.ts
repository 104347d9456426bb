import { ANY_TIME, type ChargeFilter } from '../../../domain/payments/charge/filter.ts';
import { findByProviderReference } from '../../../domain/payments/charge/find.ts';
import { listCharges } from '../../../domain/payments/charge/list.ts';
import { type ChargeRow, transactionView } from '../../../domain/payments/charge/row.ts';
import { type ListedCustomer, listCustomers } from '../../../domain/payments/customer/list.ts';
import { findDisputesByProviderId } from '../../../domain/payments/dispute/list.ts';
import { findRefundsByProviderId } from '../../../domain/payments/refund/find.ts';
import { shownAs } from '../../../domain/payments/refund/row.ts';
import { findSettlementsByProviderId } from '../../../domain/settlements/settlement/find.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { normalisePhone } from '../../../domain/shared/phone.ts';
import type { Reader } from '../../../domain/shared/reader.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { formats } from '../../http/formats.ts';
import { koboIn } from '../amounts.ts';
import { addressOf, type Filter, searchedFor } from '../lists.ts';
import { view } from '../request.ts';
import { pathById } from './by-id.ts';

/** Of a kind: its list has the others. */
const MOST_SHOWN = 10;

/** Leads to what is found, where that is one thing. */
export const searchView = view('transactions', {
  path: '/search',
  title: 'Search',
  template: 'search/search',
  async load(request) {
    const words = searchedFor(request.query.q);
    if (words === undefined) return { searched: words, groups: [] };
    const named = await pathById(request, words);
    if (named) return { leadTo: named };
    const groups = await request.context.read((db) => groupsOf(db, request.session, words));
    const [path, ...others] = new Set(groups.flatMap(({ paths }) => paths));
    return { searched: words, groups, ...(path && others.length === 0 ? { leadTo: path } : {}) };
  },
});

/** What is found of one kind. */
interface Group {
  title: string;
  /** Of each thing. */
  paths: readonly string[];
  /** Where all of them are, if more than are shown. */
  moreHref?: string | undefined;
  transactions?: readonly ReturnType<typeof transactionView>[];
  customers?: readonly ListedCustomer[];
  records?: readonly Named[];
}

/** A refund, a dispute or a settlement. */
interface Named {
  path: string;
  title: string;
  status: string;
  amountKobo: number;
  at: Date;
}

async function groupsOf(db: Sql, reader: Reader, words: string): Promise<Group[]> {
  const before = '~';
  const most = MOST_SHOWN + 1;
  const listed = async (title: string, filter: Partial<ChargeFilter>, address: Filter) => {
    const rows = await listCharges(db, reader, { ...filter, occurred: ANY_TIME }, { before, most });
    return ofCharges(title, rows, addressOf('/transactions', address));
  };
  const amountKobo = koboIn(words);
  const phone = formats.phone!.isValid(words) ? normalisePhone(words) : undefined;
  const atProvider = await findByProviderReference(db, reader, words, most);
  const groups = [
    await listed(
      `Transactions with your reference ${words}`,
      { merchantReference: words },
      { merchant_reference: words },
    ),
    ofCharges(`Transactions that a provider knows as ${words}`, atProvider),
    phone && (await listed(`Transactions with the phone ${phone}`, { phone }, { customer: phone })),
    amountKobo &&
      (await listed(
        `Transactions of ${formatNaira(amountKobo)}`,
        { amountKobo },
        { amount: (amountKobo / 100).toFixed(2) },
      )),
    ofCustomers(await listCustomers(db, reader, { text: words, before, limit: most }), words),
    ofRecords(`Refunds that a provider knows as ${words}`, await refundsOf(db, reader, words)),
    ofRecords(`Disputes that a provider knows as ${words}`, await disputesOf(db, reader, words)),
    ofRecords(`Settlements that a provider knows as ${words}`, await payoutsOf(db, reader, words)),
  ];
  return groups.filter((group) => typeof group === 'object' && group.paths.length > 0) as Group[];
}

function ofCharges(title: string, rows: readonly ChargeRow[], moreHref?: string): Group {
  const paths = rows.map(({ number }) => `/transactions/${referenceOf(number)}`);
  const transactions = rows.slice(0, MOST_SHOWN).map(transactionView);
  return { title, paths, transactions, moreHref: rows.length > MOST_SHOWN ? moreHref : undefined };
}

function ofCustomers(rows: readonly ListedCustomer[], text: string): Group {
  const paths = rows.map(({ id }) => `/customers/${id}`);
  const moreHref = rows.length > MOST_SHOWN ? addressOf('/customers', { text }) : undefined;
  return { title: 'Customers', paths, customers: rows.slice(0, MOST_SHOWN), moreHref };
}

function ofRecords(title: string, records: readonly Named[]): Group {
  return { title, paths: records.map(({ path }) => path), records };
}

async function refundsOf(db: Sql, reader: Reader, words: string): Promise<Named[]> {
  const rows = await findRefundsByProviderId(db, reader, words);
  return rows.map(({ id, number, status, amount_kobo: amountKobo, created_at: at }) => ({
    path: `/refunds/${id}`,
    title: `Refund of ${referenceOf(number)}`,
    status: shownAs[status],
    amountKobo,
    at,
  }));
}

async function disputesOf(db: Sql, reader: Reader, words: string): Promise<Named[]> {
  const rows = await findDisputesByProviderId(db, reader, words);
  return rows.map(({ id, number, status, amount_kobo: amountKobo, opened_at: at }) => ({
    path: `/disputes/${id}`,
    title: `Dispute about ${referenceOf(number)}`,
    status,
    amountKobo,
    at,
  }));
}

async function payoutsOf(db: Sql, reader: Reader, words: string): Promise<Named[]> {
  const rows = await findSettlementsByProviderId(db, reader, words);
  return rows.map((row) => ({
    path: `/settlements/${row.id}`,
    title: 'Settlement',
    status: row.status,
    amountKobo: row.landed_amount_kobo ?? row.expected_amount_kobo,
    at: row.landed_at ?? row.created_at,
  }));
}
