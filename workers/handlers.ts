import { auditPaymentsNightly } from './audit-payments.ts';
import { checkCharge } from './check-charge.ts';
import { checkDisputes } from './check-disputes.ts';
import { checkRefund } from './check-refund.ts';
import { createCharge } from './create-charge.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { executeRefund } from './execute-refund.ts';
import type { JobHandler, SharedJobHandler } from './pool.ts';
import { processNotification } from './process-notification.ts';
import { reconcileSettlements } from './reconcile-settlements.ts';

/** Every handler that works through rows. */
export const handlers: readonly (JobHandler<never> | SharedJobHandler)[] = [
  createCharge,
  checkCharge,
  processNotification,
  executeRefund,
  checkRefund,
  checkDisputes,
  reconcileSettlements,
  auditPaymentsNightly,
  deliverWebhook,
];
