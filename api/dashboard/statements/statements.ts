import { csvHref } from '../lists.ts';
import { view } from '../request.ts';
import { readStatement } from './read-statement.ts';
import { checkInWords, stateInWords, tablesOf, titleOfMonth } from './tables.ts';

export const statementView = view('balances', {
  path: '/statements',
  title: 'Statement',
  template: 'statements/statement',
  async load(request) {
    const { statement, months, filter } = await readStatement(request);
    const at = months.indexOf(filter.month);
    const csv = csvHref(request, filter);
    return {
      ...{ statement, months, filter, tablesOf, titleOfMonth, stateInWords, checkInWords },
      ...{ previous: months[at + 1], next: months[at - 1] },
      ...{ csvHref: csv, pdfHref: csv.replace('.csv', '.pdf') },
    };
  },
});
