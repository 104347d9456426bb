import type { Session } from '../../../domain/accounts/session/session.ts';

const steps = { awaiting_code: '/sign-in/code', awaiting_enrolment: '/sign-in/enrol' };

export function signInStep(session: Pick<Session, 'status'> | undefined): string {
  return session && session.status !== 'active' ? steps[session.status] : '/sign-in';
}
