import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import helmet from 'helmet';

/** The folder of the templates, the style sheets and the icon. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Everything a template shows with `<%= %>` is escaped. */
const views = new Eta({ views: viewsDir, cache: true });

const self = ["'self'"];
const none = ["'none'"];

/** The reference has no script, so its views run none. */
export const docsSecurity = securityOf({});

/** For the view with the live example, which runs the checkout script and keeps its window. */
export const exampleSecurity = securityOf(
  { scriptSrc: self, connectSrc: self },
  'same-origin-allow-popups',
);

function securityOf(
  more: Record<string, string[]>,
  openerPolicy: 'same-origin' | 'same-origin-allow-popups' = 'same-origin',
) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: self,
        imgSrc: self,
        baseUri: none,
        formAction: none,
        frameAncestors: none,
        ...more,
      },
    },
    crossOriginOpenerPolicy: { policy: openerPolicy },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}

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
