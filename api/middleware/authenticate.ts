import { LRUCache } from 'lru-cache';
import type { Context } from '../../config/context.ts';
import { isAllowed, type Permission, type Role } from '../../domain/accounts/roles.ts';
import {
  type CredentialKind,
  type ParsedCredential,
  parseCredential,
} from '../../domain/accounts/token/credentials.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';

/** Who is calling, and whose data may be seen. */
export interface Caller extends Reader {
  role: Role;
  /** The API key, or the family of tokens one sign-in began. */
  subjectId: string;
  /** Null for API keys. */
  memberId: string | null;
  /** The web origins a public key may be used from; null: any. */
  allowedOrigins: string[] | null;
}

/** A credential with what never changes of it. Whether it is good is asked of the database every time. */
export interface KnownCredential {
  kind: CredentialKind;
  sha256: string;
  mode: Reader['mode'];
  /** The API key, or the family of tokens one sign-in began. */
  subjectId: string;
}

/** RFC 9110 has every 401 say which scheme would do. */
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } };

/** Reads the Authorization header. Throws 401; its message says what to send. */
export function readBearer(header: string | undefined): ParsedCredential {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new Problem(
      'unauthorized',
      'Send an Authorization: Bearer <credential> header. If your client did send one, something between us strips it.',
      CHALLENGE,
    );
  }
  const credential = parseCredential(token);
  if (!credential) throw badCredential();
  return credential;
}

export function badCredential(): Problem {
  return new Problem(
    'unauthorized',
    'This credential is not known here, or it was revoked. Check that it is complete and of this environment.',
    CHALLENGE,
  );
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unauthorized';
}

/** Looks a credential up as it is now. Throws 401 when it is unknown, revoked or over. */
export async function authenticate(
  { db, clock }: Context,
  { sha256 }: Pick<KnownCredential, 'sha256'>,
): Promise<Caller> {
  const [row] = await db.query<CredentialRow>(
    `select tenant_id, mode, role, subject_id, member_id, allowed_origins from credentials
     where sha256 = $1 and (expires_at is null or expires_at > $2)`,
    [sha256, clock()],
  );
  if (!row) throw badCredential();
  return callerOf(row);
}

/** A row of the view `credentials`. */
interface CredentialRow {
  tenant_id: string;
  mode: Reader['mode'];
  role: Role;
  subject_id: string;
  member_id: string | null;
  allowed_origins: string[] | null;
}

function callerOf(row: CredentialRow): Caller {
  return {
    tenantId: row.tenant_id,
    mode: row.mode,
    role: row.role,
    subjectId: row.subject_id,
    memberId: row.member_id,
    allowedOrigins: row.allowed_origins,
  };
}

/** Throws 403 when the caller may not do this, or not from this web page. */
export function requirePermission(
  { role, allowedOrigins }: Caller,
  permission: Permission,
  origin: string | undefined,
): void {
  if (!isAllowed(role, permission)) throw new Problem('forbidden', refusals[role]);
  if (allowedOrigins && !(origin !== undefined && allowedOrigins.includes(origin))) {
    throw new Problem(
      'forbidden',
      'This public key may be used from other web origins only. Its allowed origins are set in the dashboard.',
    );
  }
}

const refusals: Record<Role, string> = {
  secret: 'A secret key may not do this. A member of the business can, after signing in.',
  public: 'A public key may not do this. Use a secret key, from your server only.',
  owner: 'An Owner may not do this.',
  developer: 'Your role, developer, may not do this. Ask an Owner of the business.',
  viewer: 'Your role, viewer, may only look. Ask an Owner of the business.',
};

/** Secret keys and members share their idempotency keys; each public key has its own, for it is in strangers' hands. */
export function scopeOf(
  { kind, sha256 }: Pick<KnownCredential, 'kind' | 'sha256'>,
  route: string,
): string {
  return kind === 'public' ? `public ${sha256} ${route}` : `secret ${route}`;
}

/** A credential that was good once, and a way to find out whether it still is. */
export interface Recognised {
  credential: KnownCredential;
  /** Looks the credential up as it is now. Throws 401 when it is good no more. */
  lookUp: () => Promise<Caller>;
}

/** Some 20 MB. A credential beyond them costs one more statement. */
const MOST_REMEMBERED = 50_000;

/**
 * Finds out what never changes of a credential, asking the database only for one it has not met lately. Throws 401 for one it does not
 * find there: what nobody gave out is neither remembered nor counted.
 */
export function recogniser(
  context: Context,
): (credential: ParsedCredential) => Promise<Recognised> {
  const met = new LRUCache<string, KnownCredential>({ max: MOST_REMEMBERED });
  const lookUp = async (sha256: string): Promise<Caller> => {
    try {
      return await authenticate(context, { sha256 });
    } catch (error) {
      if (isUnauthorized(error)) met.delete(sha256);
      throw error;
    }
  };
  const meet = async ({ kind, sha256 }: ParsedCredential): Promise<KnownCredential> => {
    const { mode, subjectId } = await lookUp(sha256);
    const credential = { kind, sha256, mode, subjectId };
    met.set(sha256, credential);
    return credential;
  };
  return async (parsed) => {
    const credential = met.get(parsed.sha256) ?? (await meet(parsed));
    return { credential, lookUp: () => lookUp(parsed.sha256) };
  };
}
