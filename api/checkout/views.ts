import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';

/** Where the templates and what they load are. */
export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** Everything a template shows with `<%= %>` is escaped. */
export const views = new Eta({ views: viewsDir, cache: true });
