import { checkCharge } from './check-charge.ts';
import { checkDisputes } from './check-disputes.ts';
import { checkRefund } from './check-refund.ts';
import { createCharge } from './create-charge.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { executeRefund } from './execute-refund.ts';
import type { Duty } from './pool.ts';
import { processNotification } from './process-notification.ts';

/** Every duty that works through rows. A queue without one here is rung, but not yet worked on. */
export const duties: readonly Duty<never>[] = [
  createCharge,
  checkCharge,
  processNotification,
  executeRefund,
  checkRefund,
  checkDisputes,
  deliverWebhook,
];
