import { p, table } from '../../shared/columns.ts';

/**
 * A member signed in to the dashboard. Its token family has an access token for each mode, and
 * expires when the session has been idle for too long.
 */
export const DashboardSession = table('dashboard_sessions', {
  /** Of the token in the cookie. */
  sha256: p.ascii().primary(),
  family_id: p.ascii(),
  status: p.enum(['awaiting_code', 'awaiting_enrolment', 'active']),
  /** The mode its views show. */
  mode: p.enum(['live', 'test']),
  user_agent: p.text(),
  network: p.text(),
  last_seen_at: p.timestamp(),
  /** When the sign-in was complete. Null: the password was right, and no more was given yet. */
  signed_in_at: p.timestamp().strictNullable(),
  /** When an authentication code was last given. */
  code_given_at: p.timestamp().strictNullable(),
});
