import { p, table } from '../../shared/columns.ts';

/** A member signed in to the dashboard; its token family has an access token for each mode. */
export const DashboardSession = table('dashboard_sessions', {
  sha256: p.ascii().primary(),
  family_id: p.ascii(),
  status: p.enum(['awaiting_code', 'awaiting_enrolment', 'active']),
  mode: p.enum(['live', 'test']),
  user_agent: p.text(),
  network: p.text(),
  last_seen_at: p.timestamp(),
  /** Null: the password was right, and no more was given yet. */
  signed_in_at: p.timestamp().strictNullable(),
  code_given_at: p.timestamp().strictNullable(),
});
