import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { TokenFamily } from './token.ts';

/**
 * A member signed in to the dashboard. Its token family has an access token for each mode, and
 * expires when the session has been idle for too long.
 */
export const DashboardSession = defineEntity({
  name: 'DashboardSession',
  tableName: 'dashboard_sessions',
  properties: {
    /** Of the token in the cookie. */
    sha256: ascii().primary(),
    family_id: () => p.manyToOne(TokenFamily).mapToPk().deleteRule('cascade'),
    status: p.enum(['awaiting_code', 'awaiting_enrolment', 'active']),
    /** The mode its views show. */
    mode: p.enum(['live', 'test']),
    user_agent: p.text(),
    network: p.text(),
    last_seen_at: timestamp(),
    /** When the sign-in was complete. Null: the password was right, and no more was given yet. */
    signed_in_at: timestamp().strictNullable(),
    /** When an authentication code was last given. */
    code_given_at: timestamp().strictNullable(),
  },
  indexes: [{ name: 'dashboard_sessions_family', properties: ['family_id'] }],
});
