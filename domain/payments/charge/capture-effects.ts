import type { StatedCapture } from '../capture/capture.ts';
import type { CaptureStatus } from '../capture/transitions.ts';
import type { ChargeEffect } from './decision.ts';

export function recordCapture(capture: StatedCapture, status: CaptureStatus): ChargeEffect {
  return { type: 'record capture', id: capture.captureId, status, capture };
}

export function about({ amountKobo, attemptId }: StatedCapture) {
  return { amountKobo, attemptId };
}
