import {
  type ComparedCustomers,
  compareCustomers,
  countCustomers,
  type ListedCustomer,
  listCustomers,
} from '../../../domain/payments/customer/list.ts';
import { BEYOND_EVERY_ID } from '../../http/cursor.ts';
import { searchedFor } from '../lists.ts';
import type { DashboardRequest } from '../request.ts';
import { pageByPage } from './csv.ts';

/** A list reads some of those whom a common text finds; for a file all customers are compared. */
export async function* customerPages(request: DashboardRequest): AsyncGenerator<ListedCustomer[]> {
  const { context, session, query } = request;
  const text = searchedFor(query.text);
  if (text === undefined || (await isWhole(request, text)))
    return yield* pageByPage((_, page) =>
      context.read((db) => listCustomers(db, session, { ...page, text })),
    )(request);
  for (let before: string | undefined = BEYOND_EVERY_ID; before !== undefined; ) {
    const wanted = { text, before };
    const compared: ComparedCustomers = await context.read((db) =>
      compareCustomers(db, session, wanted),
    );
    yield compared.found;
    before = compared.next;
  }
}

async function isWhole({ context, session }: DashboardRequest, text: string): Promise<boolean> {
  return (await context.read((db) => countCustomers(db, session, text))).isWhole;
}
