import { p, table } from '../../shared/columns.ts';

export const AuditEntry = table('audit_entries', {
  id: p.ascii().primary(),
  tenant_id: p.ascii(),
  mode: p.mode().strictNullable(),
  at: p.timestamp(),
  actor: p.text(),
  action: p.text(),
  subject_id: p.text(),
  detail: p.text().strictNullable(),
});
