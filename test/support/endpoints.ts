import { routes } from '../../api/routes.ts';

/** An endpoint of the API with something in place of each of its parameters. */
export interface Endpoint {
  method: string;
  path: string;
  /** What a caller must be permitted to do there. */
  may: string;
}

/** Every endpoint there is, taken from the table the router reads: a new one is held to the same promises without being named here. */
export function endpointsOf(reference: string): Endpoint[] {
  return routes.map(({ method, path, may }) => ({
    method: method.toUpperCase(),
    path: path.replace(/:\w+/, reference),
    may,
  }));
}
