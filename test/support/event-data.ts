import type { EventType } from '../../domain/webhooks/event/publish.ts';
import { openApi } from './openapi.ts';

/** The object of an event as the API document shows it, under an id of the test's own. */
export function eventData(type: EventType, id: string): object {
  const { example } = openApi.webhooks[type]!.post.requestBody!.content['application/json']!;
  return { ...(example as { data: object }).data, id };
}
