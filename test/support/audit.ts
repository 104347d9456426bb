import type { Stack } from './stack.ts';

export const auditOf = ({ sql }: Stack, subjectId: string) =>
  sql<{ actor: string; action: string; detail: string | null }>`select actor, action, detail
    from audit_entries where subject_id = ${subjectId} order by id`;
