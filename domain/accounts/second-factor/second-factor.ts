import { randomBytes } from 'node:crypto';
import { type Random, randomBase36 } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SealedFor } from '../../shared/vault.ts';
import { recordOnMember } from '../member/members.ts';
import { demandSecondFactor } from './demand-second-factor.ts';
import { newTotpSecret, totpStepOf } from './totp.ts';

export interface Holder {
  tenantId: string;
  memberId: string;
}

const RECOVERY_CODES = 10;

/**
 * Stores a secret that is asked for after `confirmTotp`. A reload gets the same one. Throws 409
 * when the member has an authenticator.
 */
export async function prepareTotp(tx: Tx, holder: Holder): Promise<string> {
  const member = await lockTotp(tx, holder);
  if (member.totp_enrolled_at !== null) throw isEnrolled();
  if (member.totp_secret !== null) return openSecret(tx, holder, member.totp_secret);
  const secret = newTotpSecret();
  await tx.sql.query('update members set totp_secret = $2 where id = $1', [
    holder.memberId,
    tx.vault.seal(secret, ownerOf(holder)),
  ]);
  return secret;
}

/**
 * Enrols it and returns the recovery codes, shown once. Throws 422 for a wrong code, 409 when
 * enrolled.
 */
export async function confirmTotp(
  tx: Tx,
  holder: Holder,
  code: string,
  random: Random = randomBytes,
): Promise<string[]> {
  const member = await lockTotp(tx, holder);
  if (member.totp_enrolled_at !== null) throw isEnrolled();
  const secret = member.totp_secret && openSecret(tx, holder, member.totp_secret);
  const step = secret ? totpStepOf(secret, typed(code), tx.now, null) : undefined;
  if (step === undefined) throw wrongCode();
  await tx.sql.query('update members set totp_enrolled_at = $2, totp_step = $3 where id = $1', [
    holder.memberId,
    tx.now,
    step,
  ]);
  const codes = await newRecoveryCodes(tx, holder, random);
  await recordOnMember(tx, holder, 'member.second_factor_enrolled', holder.memberId);
  return codes;
}

/** Accepts a code or recovery code once, also under races. Throws 422 when it is wrong. */
export async function acceptCode(tx: Tx, holder: Holder, code: string): Promise<void> {
  const member = await lockTotp(tx, holder);
  if (member.totp_enrolled_at === null || member.totp_secret === null) throw wrongCode();
  const secret = openSecret(tx, holder, member.totp_secret);
  const step = totpStepOf(secret, typed(code), tx.now, member.totp_step);
  if (step !== undefined) {
    await tx.sql.query('update members set totp_step = $2 where id = $1', [holder.memberId, step]);
    return;
  }
  const used = await tx.sql.query(
    `update recovery_codes set used_at = $3
     where sha256 = $2 and member_id = $1 and used_at is null returning 1`,
    [holder.memberId, hashOf(holder, code), tx.now],
  );
  if (used.length === 0) throw wrongCode();
  await recordOnMember(tx, holder, 'member.recovery_code_used', holder.memberId);
}

/** Sign-ins are held up where the business demands a factor. Throws 404 where there is none. */
export async function removeTotp(tx: Tx, by: Holder, memberId: string): Promise<void> {
  // A demand that begins now waits, and then finds this member without one.
  await tx.sql.query('select 1 from tenants where id = $1 for share', [by.tenantId]);
  const removed = await tx.sql.query(
    `update members set totp_secret = null, totp_enrolled_at = null, totp_step = null
     where id = $1 and tenant_id = $2 and totp_enrolled_at is not null returning 1`,
    [memberId, by.tenantId],
  );
  if (removed.length === 0) throw new Problem('not_found', 'This member has no authenticator.');
  await tx.sql.query('delete from recovery_codes where member_id = $1', [memberId]);
  await demandSecondFactor(tx, by.tenantId, memberId);
  await recordOnMember(tx, by, 'member.second_factor_removed', memberId);
}

interface TotpColumns {
  totp_secret: string | null;
  totp_enrolled_at: Date | null;
  totp_step: number | null;
}

async function lockTotp({ sql }: Tx, { memberId, tenantId }: Holder): Promise<TotpColumns> {
  const [member] = await sql.query<TotpColumns>(
    `select totp_secret, totp_enrolled_at, totp_step from members
     where id = $1 and tenant_id = $2 for no key update`,
    [memberId, tenantId],
  );
  return member!;
}

async function newRecoveryCodes(tx: Tx, holder: Holder, random: Random): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomBase36(20, random).replace(/(.{5})(?=.)/g, '$1-'),
  );
  await tx.sql.query('delete from recovery_codes where member_id = $1', [holder.memberId]);
  await tx.sql.query(
    `insert into recovery_codes (sha256, member_id, created_at)
     select unnest($2::text[]), $1, $3`,
    [holder.memberId, codes.map((code) => hashOf(holder, code)), tx.now],
  );
  return codes;
}

/** 103 random bits need no slow hash. */
function hashOf({ memberId }: Holder, code: string): string {
  return sha256Of(`${memberId} ${typed(code).toLowerCase().replaceAll('-', '')}`);
}

function typed(code: string): string {
  return code.replaceAll(/\s/g, '');
}

function openSecret({ vault }: Tx, holder: Holder, sealed: string): string {
  return vault.open(sealed, ownerOf(holder));
}

function ownerOf({ memberId, tenantId }: Holder): SealedFor {
  return { table: 'members', row: memberId, tenant: tenantId, mode: 'both' };
}

function wrongCode(): Problem {
  return invalid({ code: 'is wrong, or was used before' });
}

function isEnrolled(): Problem {
  return new Problem('invalid_state', 'This member has an authenticator already. Remove it first.');
}
