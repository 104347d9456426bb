import type { AttemptStatus } from './transitions.ts';

/** An attempt as its row holds it. Times UTC. */
export interface AttemptRow {
  id: string;
  charge_id: string;
  connection_id: string;
  slot: string;
  /** Our reference for this payment at the provider: `SV-<n>-<8 random base36>`. */
  reference: string;
  status: AttemptStatus;
  url: string | null;
  link_expires_at: Date | null;
  /** When we first may have sent it. */
  sent_at: Date | null;
  accepted_at: Date | null;
  /** When the question was put that the provider last answered. */
  verified_at: Date | null;
  /** How often it was claimed, and how many of these claims cost no try. */
  tries: number;
  snoozes: number;
  due_at: Date | null;
  created_at: Date;
}
