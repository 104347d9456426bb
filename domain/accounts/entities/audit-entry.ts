import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>().strictNullable(),
    at: timestamp(),
    actor: p.text(),
    action: p.text(),
    subject_id: p.text(),
    detail: p.text().strictNullable(),
  },
  indexes: [
    { name: 'audit_entries_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'audit_entries_both', properties: ['tenant_id', 'id'], where: 'mode is null' },
  ],
});
