import { isId, newId } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import type { MemberRole } from '../roles.ts';

/** A person of a business, as stored. Rows are never deleted: the audit log names them. */
export interface MemberRow {
  id: string;
  tenant_id: string;
  email: string;
  name: string | null;
  role: MemberRole;
  has_password: boolean;
  disabled_at: Date | null;
  created_at: Date;
}

const COLUMNS =
  'id, tenant_id, email, name, role, password_hash is not null as has_password, disabled_at, created_at';

export const memberStatuses = ['invited', 'active', 'disabled'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** `invited`: has not set a password yet. */
function memberStatusOf(member: Pick<MemberRow, 'has_password' | 'disabled_at'>): MemberStatus {
  if (member.disabled_at !== null) return 'disabled';
  return member.has_password ? 'active' : 'invited';
}

/** A member as the API shows it. */
export function memberView(member: MemberRow) {
  const { id, email, name, role, created_at } = member;
  return {
    object: 'member' as const,
    id,
    email,
    name,
    role,
    status: memberStatusOf(member),
    created_at: created_at.toISOString(),
  };
}

/** Who changes members, and in whose business. */
export interface Manager {
  tenantId: string;
  memberId: string;
}

/** Writes down what was done to a member. Members are the same in both modes. */
export function recordOnMember(
  tx: Tx,
  by: Manager,
  action: string,
  memberId: string,
  detail?: string,
): Promise<void> {
  const entry = {
    tenantId: by.tenantId,
    mode: null,
    actor: by.memberId,
    action,
    subjectId: memberId,
  };
  return recordAudit(tx, detail === undefined ? entry : { ...entry, detail });
}

export interface NewMember {
  email: string;
  name: string | null;
  role: MemberRole;
}

/** Adds a member without a password. An e-mail address, in whatever case, belongs to one member of one business: 422 otherwise. */
export async function addMember(
  tx: Tx,
  by: Manager,
  { email, name, role }: NewMember,
): Promise<MemberRow> {
  const [row] = await tx.sql.query<MemberRow>(
    `insert into members (id, tenant_id, email, name, role, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (lower(email)) do nothing
     returning ${COLUMNS}`,
    [newId('mem', tx.now), by.tenantId, email, name, role, tx.now],
  );
  if (!row) throw invalid({ email: 'belongs to a member already' });
  await recordOnMember(tx, by, 'member.invited', row.id, role);
  return row;
}

/** The member of this business with this id. Throws 404. */
export function findMember(sql: Sql, tenantId: string, id: string): Promise<MemberRow> {
  return theOne(
    sql,
    `select ${COLUMNS} from members where tenant_id = $1 and id = $2`,
    tenantId,
    id,
  );
}

/** The same, and nobody else changes them until the transaction is over. */
export function lockMember(sql: Sql, tenantId: string, id: string): Promise<MemberRow> {
  return theOne(
    sql,
    `select ${COLUMNS} from members where tenant_id = $1 and id = $2 for no key update`,
    tenantId,
    id,
  );
}

async function theOne(
  sql: Sql,
  statement: string,
  tenantId: string,
  id: string,
): Promise<MemberRow> {
  const [row] = isId('mem', id) ? await sql.query<MemberRow>(statement, [tenantId, id]) : [];
  if (!row) throw new Problem('not_found', 'There is no such member in this business.');
  return row;
}

/** Members of this business before a position, newest first. */
export function listMembers(
  sql: Sql,
  tenantId: string,
  before: string,
  limit: number,
): Promise<MemberRow[]> {
  return sql.query<MemberRow>(
    `select ${COLUMNS} from members where tenant_id = $1 and id < $2 order by id desc limit $3`,
    [tenantId, before, limit],
  );
}
