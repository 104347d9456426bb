import { createHmac, randomBytes } from 'node:crypto';
import type { Sql } from '../../../domain/shared/sql.ts';
import type { SandboxContext } from '../context.ts';
import type { Account } from '../records.ts';
import { first } from '../rows.ts';

const lifeSeconds = 3_600;

export interface AccessToken {
  token: string;
  accountId: number;
  expiresAt: Date;
}

/**
 * The token an account calls with: the same one until it expires, then a new one. Two logins at
 * once get one token.
 */
export function handOutToken(context: SandboxContext, account: Account): Promise<AccessToken> {
  return context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.account where id = $1 for no key update', [account.id]);
    const live = await first<AccessToken>(
      tx,
      'select * from sandbox.access_token where account_id = $1 and expires_at > $2',
      [account.id, context.now()],
    );
    return live ?? issueToken(tx, account, context.now());
  });
}

async function issueToken(tx: Sql, account: Account, now: Date): Promise<AccessToken> {
  const expiresAt = new Date(now.getTime() + lifeSeconds * 1000);
  const issued = await first<AccessToken>(
    tx,
    `insert into sandbox.access_token (token, account_id, expires_at) values ($1, $2, $3)
     returning *`,
    [write(account, expiresAt), account.id, expiresAt],
  );
  return issued!;
}

/** Looks like the signed token it stands for; what makes it good is its row. */
function write({ id, secretKey }: Account, expiresAt: Date): string {
  const claims = {
    sub: String(id),
    exp: Math.floor(expiresAt.getTime() / 1000),
    jti: randomBytes(12).toString('hex'),
  };
  const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${unsigned}.${createHmac('sha256', secretKey).update(unsigned).digest('base64url')}`;
}

/**
 * Ends every token before its time, as a provider does that changes its keys. Returns how many were
 * alive.
 */
export async function expireTokens(sql: Sql, now: Date): Promise<number> {
  const ended = await sql.query(
    'update sandbox.access_token set expires_at = $1 where expires_at > $1 returning 1',
    [now],
  );
  return ended.length;
}
