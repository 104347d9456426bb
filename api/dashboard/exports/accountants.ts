import { view } from '../request.ts';

export const accountantsView = view('balances', {
  path: '/journal',
  title: 'Export for accountants',
  template: 'exports/accountants',
  load: async () => ({}),
});
