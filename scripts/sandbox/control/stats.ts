import { countAll } from '../counters.ts';
import type { Answer, World } from '../world.ts';
import { type ControlRoute, ok } from './route.ts';

/** Per provider, everything that was ever asked of it. */
export const stats: ControlRoute = {
  method: 'get',
  path: '/stats',
  fields: {},
  async handle(world: World): Promise<Answer> {
    const names = Object.values(world.providers).map(({ name }) => name);
    const counts = await Promise.all(
      names.map(async (name) => [name, await countAll(world.sql, name)]),
    );
    return ok(Object.fromEntries(counts));
  },
};
