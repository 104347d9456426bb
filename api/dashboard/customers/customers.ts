import { ANY_TIME } from '../../../domain/payments/charge/filter.ts';
import { listCharges } from '../../../domain/payments/charge/list.ts';
import { transactionView } from '../../../domain/payments/charge/row.ts';
import { findCustomer, historyOf } from '../../../domain/payments/customer/find.ts';
import { countCustomers, listCustomers } from '../../../domain/payments/customer/list.ts';
import { paymentLinkView } from '../../../domain/payments/payment-link/row.ts';
import { refundView } from '../../../domain/payments/refund/row.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { csvHref, listedRows, searchedFor } from '../lists.ts';
import { view } from '../request.ts';

/** Of each kind beside the payments. */
const MOST_SHOWN = 25;

export const customersView = view('customers', {
  async load(request) {
    const { context, session, query } = request;
    const text = searchedFor(query.text);
    const filter = text === undefined ? {} : { text };
    const { rows, ...pages } = await listedRows(
      request,
      'customers',
      (page) => context.read((db) => listCustomers(db, session, { ...page, text })),
      filter,
    );
    return {
      customers: rows,
      ...pages,
      typed: filter,
      problems: {},
      total: await context.read((db) => countCustomers(db, session, text)),
      csvHref: csvHref(request, filter),
    };
  },
});

export const customerView = view('customers', {
  path: '/customers/:id',
  title: 'Customer',
  template: 'customers/customer',
  async load(request) {
    const { context, session, params, now } = request;
    return context.read(async (db) => {
      const customer = await findCustomer(db, session, params.id!);
      const { email } = customer;
      const { rows, ...pages } = await listedRows(request, 'payments of a customer', (page) =>
        listCharges(
          db,
          session,
          { email, occurred: ANY_TIME },
          { before: page.before, most: page.limit },
        ),
      );
      const history = await historyOf(db, session, email, MOST_SHOWN);
      return {
        title: email,
        customer,
        transactions: rows.map(transactionView),
        ...pages,
        ...history,
        total: { count: history.charges, isWhole: history.isWhole, most: history.most },
        mostShown: MOST_SHOWN,
        refunds: history.refunds.map(refundView),
        disputes: history.disputes.map((row) => ({ ...row, reference: referenceOf(row.number) })),
        links: history.links.map((row) => paymentLinkView(row, context.env.publicUrl, now)),
      };
    });
  },
});
