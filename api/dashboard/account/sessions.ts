import Bowser from 'bowser';
import { listSignIns, noSuchSession } from '../../../domain/accounts/session/list-sessions.ts';
import { formatsFor } from '../format.ts';
import type { DashboardRequest, Question } from '../request.ts';

/** Where a member is signed in. */
export async function sessionsOf({ context, now }: DashboardRequest, memberId: string) {
  const signIns = await listSignIns(context.db, memberId, now);
  return signIns.map((one) => ({ ...one, client: clientOf(one.user_agent) }));
}

/** Throws 404 where the session is not theirs, or over. */
export async function askToEnd(
  request: DashboardRequest,
  memberId: string,
  familyId: string,
): Promise<Question> {
  const { session } = request;
  const sessions = await sessionsOf(request, memberId);
  const found = sessions.find(({ id }) => id === familyId);
  if (!found) throw noSuchSession();
  const { time } = formatsFor(session.timeZone);
  return {
    title: 'End this session?',
    facts: { 'Browser or app': found.client, Since: time(found.created_at) },
    consequence: `${familyId === session.familyId ? 'You are' : 'It is'} signed out at once.`,
  };
}

const browsers = new Set<string>(Object.values(Bowser.BROWSER_MAP));

/** Names a client in words people know: `Chrome on Linux`. */
export function clientOf(userAgent: string | null): string {
  if (userAgent === null) return 'An app, through the API';
  const { browser, os } = Bowser.parse(userAgent || '-');
  const { name = '' } = browser;
  if (!browsers.has(name)) return userAgent || 'Unknown'; // else it is any word before a slash
  return os.name ? `${name} on ${os.name}` : name;
}
