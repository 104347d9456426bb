import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { self, viewSecurity } from '../http/view-security.ts';

/** The folder of the templates, the style sheets and the icon. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Everything a template shows with `<%= %>` is escaped. */
const views = new Eta({ views: viewsDir, cache: true });

/** The reference has no script, so its views run none. */
export const docsSecurity = viewSecurity({});

/** For the view with the live example, which runs the checkout script and keeps its window. */
export const exampleSecurity = viewSecurity(
  { scriptSrc: self, connectSrc: self },
  'no-referrer',
  'same-origin-allow-popups',
);

/** Renders a template with its data. */
export function render(template: string, shown: object): string {
  return views.render(`./${template}.eta`, { ...shown, prose, breakable });
}

/** An address as HTML that may break after each slash. */
export function breakable(path: string): string {
  return escaped(path).replaceAll('/', '/<wbr>');
}

/** A sentence as HTML: escaped, with what stands in backticks as code. */
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
