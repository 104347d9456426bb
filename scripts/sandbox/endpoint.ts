import type { Endpoint } from './context.ts';

/** An endpoint of a provider's, with what its calls count as. */
function endpoint(method: Endpoint['method']) {
  return (path: string, handle: Endpoint['handle'], counts?: Endpoint['counts']): Endpoint => ({
    ...{ method, path, handle },
    ...(counts && { counts }),
  });
}

export const get = endpoint('get');
export const post = endpoint('post');
