import type { Context } from '../../config/context.ts';
import { isAllowed, type Permission, type Role } from '../../domain/accounts/roles.ts';
import {
  type CredentialKind,
  type ParsedCredential,
  parseCredential,
} from '../../domain/accounts/token/credentials.ts';
import { findCredential } from '../../domain/accounts/token/find-credential.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';

export interface Caller extends Reader {
  role: Role;
  /** The API key, or the token family of a sign-in. */
  subjectId: string;
  /** Null for API keys. */
  memberId: string | null;
  /** Null: any. */
  allowedOrigins: string[] | null;
}

/** The part that never changes: whether it is valid is read from the database every time. */
export interface KnownCredential {
  kind: CredentialKind;
  sha256: string;
  mode: Reader['mode'];
  subjectId: string;
}

/** RFC 9110: every 401 names the scheme to use. */
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } };

/** Throws 401 with a message that says what to send. */
export function readBearer(header: string | undefined): ParsedCredential {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new Problem(
      'unauthorized',
      'Send an Authorization: Bearer <credential> header. ' +
        'If your client did send one, something between it and this service strips it.',
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
    'This credential is not known here, or it was revoked. ' +
      'Check that it is complete and belongs to this environment.',
    CHALLENGE,
  );
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unauthorized';
}

/** As it is now. Throws 401 when it is unknown, revoked or expired. */
export async function authenticate(
  { db, clock }: Context,
  { sha256 }: Pick<KnownCredential, 'sha256'>,
): Promise<Caller> {
  const row = await findCredential(db, sha256, clock());
  if (!row) throw badCredential();
  return {
    tenantId: row.tenant_id,
    mode: row.mode,
    role: row.role,
    subjectId: row.subject_id,
    memberId: row.member_id,
    allowedOrigins: row.allowed_origins,
  };
}

/** Throws 403 when the role may not do this, or the key may not be used from this web origin. */
export function requirePermission(
  { role, allowedOrigins }: Caller,
  permission: Permission,
  origin: string | undefined,
): void {
  if (!isAllowed(role, permission)) throw new Problem('forbidden', refusals[role]);
  if (allowedOrigins && !(origin !== undefined && allowedOrigins.includes(origin))) {
    throw new Problem(
      'forbidden',
      'This public key may be used from other web origins only. ' +
        'An Owner or a developer sets its allowed origins with PATCH /v1/api-keys/{id}.',
    );
  }
}

const refusals: Record<Role, string> = {
  secret: 'A secret key may not do this. A member of the business can, after signing in.',
  public: 'A public key may not do this. Use a secret key, from your server only.',
  owner: 'An Owner may not do this.',
  developer: 'Your role, developer, may not do this. Ask an Owner of the business.',
  finance: 'Your role, finance, may not do this. Ask an Owner of the business.',
  support: 'Your role, support, may not do this. Ask an Owner of the business.',
  viewer: 'Your role, viewer, may only look. Ask an Owner of the business.',
};

/** Anybody can read a public key in a web page, so each has its own idempotency keys. */
export function scopeOf({ kind, sha256 }: Pick<KnownCredential, 'kind' | 'sha256'>, route: string) {
  return kind === 'public' ? `public ${sha256} ${route}` : `secret ${route}`;
}
