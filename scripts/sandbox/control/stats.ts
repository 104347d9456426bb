import type { Answer, SandboxContext } from '../context.ts';
import { countAll } from '../counters.ts';
import { type ControlRoute, ok } from './route.ts';

/** Per provider, everything that was ever asked of it. */
export const stats: ControlRoute = {
  method: 'get',
  path: '/stats',
  fields: {},
  async handle(context: SandboxContext): Promise<Answer> {
    const names = Object.values(context.providers).map(({ name }) => name);
    const counts = await Promise.all(
      names.map(async (name) => [name, await countAll(context.sql, name)]),
    );
    return ok(Object.fromEntries(counts));
  },
};
