import type { Context } from '../../config/context.ts';
import type { Reader } from '../../domain/charge/find.ts';
import { Problem } from '../../domain/problems.ts';
import { type ParsedKey, parseKey } from '../../domain/tenant/credentials.ts';

/** Who is calling, and whose data may be seen. */
export interface Caller extends Reader {
  keyId: string;
}

/** Reads the Authorization header. Throws 401; its message says what to send. */
export function readBearer(header: string | undefined): ParsedKey {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new Problem(
      'unauthorized',
      'Send an Authorization: Bearer <credential> header. If your client did send one, something between us strips it.',
    );
  }
  const key = parseKey(token);
  if (!key) throw badCredential();
  return key;
}

export function badCredential(): Problem {
  return new Problem(
    'unauthorized',
    'This credential is not known here, or it was revoked. Check that it is complete and of this environment.',
  );
}

/** Looks a key up as it is now. Throws 401 when it is unknown or revoked, 403 when its kind may not do this. */
export async function authenticate({ db }: Context, key: ParsedKey): Promise<Caller> {
  const [row] = await db.query<{ id: string; tenant_id: string }>(
    'select id, tenant_id from api_keys where sha256 = $1 and mode = $2 and kind = $3 and revoked_at is null',
    [key.sha256, key.mode, key.kind],
  );
  if (!row) throw badCredential();
  if (key.kind !== 'secret') throw new Problem('forbidden', 'A public key may not do this. Use a secret key, from your server only.');
  return { keyId: row.id, tenantId: row.tenant_id, mode: key.mode };
}
