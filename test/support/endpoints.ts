import { routes } from '../../api/routes.ts';

/** An endpoint of the API with something in place of each of its parameters. */
export interface Endpoint {
  method: string;
  path: string;
  /** What the credential must permit there. */
  credential: string;
}

/** Every endpoint of the route table: a new one is tested without being named here. */
export function endpointsOf(reference: string): Endpoint[] {
  return routes.map(({ method, path, credential }) => ({
    method: method.toUpperCase(),
    path: path.replace(/:\w+/, reference),
    credential,
  }));
}
