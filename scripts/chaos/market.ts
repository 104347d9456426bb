import type { Merchants } from './merchants.ts';
import type { ChaosStack } from './stack.ts';

/** What a customer wanted, and what came of it. */
export interface CustomerOrder {
  tenantId: string;
  merchantReference: string | null;
  /** The customer's e-mail address, which nobody else has. */
  email: string;
  /** The charge's reference, once the service accepted it. */
  reference?: string;
}

export interface Market {
  stack: ChaosStack;
  merchants: Merchants;
  orders: CustomerOrder[];
  refunds: RefundOrder[];
  /** Answers that refuse what must not be refused. */
  refusals: string[];
  seed: number;
  /** Aborted when nothing is waited for any more. */
  ended: AbortSignal;
}

/** A refund that a merchant asked for, and whether its Owner approved it. */
export interface RefundOrder {
  tenantId: string;
  id: string;
  isApproved: boolean;
}
