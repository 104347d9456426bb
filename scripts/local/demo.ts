import type { CreatedTenant } from '../../domain/accounts/tenant/create-tenant.ts';

/** `demo.json`: everything a script needs to use the local stack. */
export interface Demo extends CreatedTenant {
  /** Ends in /v1. */
  base_url: string;
  dashboard_url: string;
  board_url: string;
  board_user: string;
  board_password: string;
  sandbox_url: string;
  receiver_url: string;
  webhook_secret_test: string;
  database_url: string;
  redis_url: string | null;
}
