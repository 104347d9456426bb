import { newId } from '../../../domain/shared/ids.ts';
import type { Session } from '../../../domain/shared/sql.ts';
import { txOf } from '../../../domain/shared/tx.ts';
import { publishEvent } from '../../../domain/webhooks/event/publish.ts';
import { eventData } from '../../support/event-data.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import type { Stack } from '../../support/stack.ts';

export async function addEvent(
  { context, tenant }: Stack,
  {
    session,
    mode = 'test',
    subjectId,
    reference,
  }: { session?: Session; mode?: 'live' | 'test'; subjectId?: string; reference?: string } = {},
): Promise<string> {
  const now = context.clock();
  const subject = subjectId ?? newId('txn', now);
  const event = {
    tenantId: tenant.tenant_id,
    mode,
    type: 'charge.failed',
    subjectId: subject,
    data: { ...eventData('charge.failed', subject), ...(reference && { reference }) },
  } as const;
  const publish = (given: Session) => publishEvent(txOf(given, context.vault, now), event);
  await (session ? publish(session) : context.db.transaction(publish));
  const [row] = await (session ?? context.db).query<{ id: string }>(
    'select id from events where subject_id = $1',
    [subject],
  );
  return row!.id;
}

export function poller({ api }: Stack, key?: string) {
  let after = '';
  return {
    async poll(limit = 100) {
      const ids: string[] = [];
      for (;;) {
        const { json } = await api.get(
          `/events?limit=${limit}${after && `&after=${after}`}`,
          key === undefined ? {} : { key },
        );
        after = json.next_cursor;
        if (json.data.length === 0) return ids;
        ids.push(...json.data.map(({ id }: { id: string }) => id));
      }
    },
  };
}

export async function pollAll(stack: Stack, key?: string): Promise<string[]> {
  await nothingHeldBack(stack);
  return poller(stack, key).poll();
}
