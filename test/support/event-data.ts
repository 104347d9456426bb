import type { EventType } from '../../domain/webhooks/event/publish.ts';
import { openApi } from './openapi.ts';

export function eventData(type: EventType, id: string): object {
  const { example } = openApi['x-webhooks'][type]!.post.requestBody!.content['application/json']!;
  return { ...(example as { data: object }).data, id };
}
