import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { self, viewSecurity } from '../http/view-security.ts';
import { labelCells } from './label-cells.ts';

export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Text shown with `<%= %>` is escaped, in attributes too. */
const eta = new Eta({ views: viewsDir, cache: true });

/** The style sheet of the kit has its small icons as `data:` addresses. */
export const dashboardSecurity = viewSecurity(
  { scriptSrc: self, connectSrc: self, formAction: self, imgSrc: [...self, 'data:'] },
  'same-origin',
);

export function render(template: string, shown: object): string {
  return labelCells(eta.render(`./${template}.eta`, shown));
}
