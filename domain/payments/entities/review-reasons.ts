export const reviewReasons = [
  'underpaid',
  'overpaid',
  'extra_capture',
  'capture_mismatch',
  'unknown_status',
  'link_paid_before',
  'dispute',
  'refund_reversed',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];
