import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { self, viewSecurity } from '../http/view-security.ts';

export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Text shown with `<%= %>` is escaped. */
const views = new Eta({ views: viewsDir, cache: true });

/** The reference has no script, so its views run none. */
export const docsSecurity = viewSecurity({ formAction: self });

/** For the view with the live example, which runs the checkout script and keeps its window. */
export const exampleSecurity = viewSecurity(
  { scriptSrc: self, connectSrc: self, formAction: self },
  'no-referrer',
  'same-origin-allow-popups',
);

export function render(template: string, shown: object): string {
  return views.render(`./${template}.eta`, { ...shown, prose, breakable });
}

export function breakable(path: string): string {
  return escaped(path).replaceAll('/', '/<wbr>');
}

/** Backticks become code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
