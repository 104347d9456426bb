import type { Context } from '../../config/context.ts';
import { hashBody } from '../../domain/accounts/idempotency/remembered.ts';
import { credentialOf, type Session } from '../../domain/accounts/session/session.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { type ApiRequest, filledIn, type Route } from '../http/route.ts';
import { checkOf } from '../http/route-handler.ts';
import { authenticate, type Caller, requirePermission } from '../middleware/authenticate.ts';
import { limited, takeFor } from '../middleware/limit.ts';

// biome-ignore lint/suspicious/noExplicitAny: each view knows the schema of the route it calls.
export type CallRoute = <Body = any>(
  route: Route,
  input?: {
    params?: Record<string, string>;
    /** Texts, as in a web address; of a repeated field a list. */
    query?: Record<string, string | string[]>;
    body?: object;
    /** True: a further page of what was counted as one request. */
    uncounted?: boolean;
  },
) => Promise<Body>;

export interface Calling {
  session: Session;
  token: string;
  mode: Mode;
  address: string;
  /** A form sent twice does its work once. */
  idempotencyKey?: string | undefined;
}

/**
 * Calls routes in this process with all that holds for a member's token: rate limit, permissions,
 * schemas, idempotency key. Throws the `Problem` that the API would answer.
 */
export function routeCaller(
  context: Context,
  { session, token, mode, address, idempotencyKey }: Calling,
): CallRoute {
  const credential = {
    kind: 'member' as const,
    sha256: credentialOf(token, mode),
    mode,
    subjectId: session.familyId,
  };
  return async (route, { params = {}, query = {}, body = {}, uncounted = false } = {}) => {
    const standing = uncounted ? undefined : await takeFor(context, credential, address);
    if (standing && !standing.allowed) throw limited(standing);
    let caller: Promise<Caller> | undefined;
    const call: ApiRequest = {
      context,
      route: `${route.method.toUpperCase()} ${filledIn(route.path, params)}`,
      credential,
      caller: () => {
        caller ??= identify();
        return caller;
      },
      address,
      origin: undefined,
      params,
      query: { ...query },
      body,
      idempotency:
        route.idempotent && idempotencyKey
          ? { key: idempotencyKey, bodySha256: hashBody(body) }
          : undefined,
      testScenario: undefined,
    };
    const identify = async () => {
      const who = await authenticate(context, credential);
      if (route.credential !== 'none') requirePermission(who, route.credential, undefined);
      return who;
    };
    // Who may not do this learns nothing of whether the rest of the call is right.
    await call.caller();
    checkOf(route)(call);
    const reply = await route.handle(call);
    return typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body;
  };
}
