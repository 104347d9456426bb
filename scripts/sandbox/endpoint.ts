import type { Endpoint } from './context.ts';

function endpoint(method: Endpoint['method']) {
  return (path: string, handle: Endpoint['handle'], counts?: Endpoint['counts']): Endpoint => ({
    ...{ method, path, handle },
    ...(counts && { counts }),
  });
}

export const get = endpoint('get');
export const post = endpoint('post');
