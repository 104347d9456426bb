import type { Stack } from './stack.ts';

export async function auditOf(
  { context }: Stack,
  subjectId: string,
): Promise<{ actor: string; action: string; detail: string | null }[]> {
  return context.db.query(
    'select actor, action, detail from audit_entries where subject_id = $1 order by id',
    [subjectId],
  );
}
